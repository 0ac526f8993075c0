class Listening:
    def __init__(self, auction, seat, private): pass
    def __call__(self, watch, hidden): pass
