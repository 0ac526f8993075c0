from libc.stdint cimport uint8_t

cdef int tricks_to_kill(const uint8_t* owners, int length, int ruffers, int credits) noexcept nogil
