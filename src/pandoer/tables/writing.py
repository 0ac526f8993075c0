"""From finished parts to the table: row groups of a fixed size, so that the file does not depend on the parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pandoer.tables.arrow import parquet, pyarrow
from pandoer.tables.parts import Store, aside_of
from pandoer.tables.rows import unpacked

__all__ = ["ROW_GROUP", "row_groups", "rows_of", "write"]

ROW_GROUP = 16_384
"""Rows in each row group of a file but the last."""


def rows_of(store: Store) -> Iterator[Any]:
    """The rows of all parts in order, as Arrow tables."""
    for span in store.spans():
        yield unpacked(store.read(span))


def row_groups(tables: Iterable[Any], schema: Any) -> Iterator[Any]:
    """The same rows in Arrow tables of `ROW_GROUP` rows, with dictionaries of their own, whatever they came in."""
    arrow = pyarrow()
    waiting: list[Any] = []
    rows = 0
    for table in tables:
        waiting.append(table)
        rows += len(table)
        while rows >= ROW_GROUP:
            together = arrow.concat_tables(waiting)
            yield _encoded(together.slice(0, ROW_GROUP), schema)
            waiting, rows = [together.slice(ROW_GROUP)], rows - ROW_GROUP
    if rows:
        yield _encoded(arrow.concat_tables(waiting), schema)


def _encoded(table: Any, schema: Any) -> Any:
    """One chunk a column, with the types of the schema; dictionaries in the order in which their entries appear."""
    arrow = pyarrow()
    columns = []
    for field, column in zip(schema, table.columns, strict=True):
        array = column.combine_chunks()
        if isinstance(array, arrow.ChunkedArray):
            array = arrow.concat_arrays(array.chunks)
        if arrow.types.is_dictionary(field.type):
            strings = array.cast(arrow.string()) if arrow.types.is_dictionary(array.type) else array
            array = strings.dictionary_encode()
        columns.append(array)
    return arrow.Table.from_arrays(columns, schema=schema)


def write(groups: Iterable[Any], schema: Any, out: Path) -> None:
    """Write row groups to a Parquet file, which is there as a whole or not at all."""
    with aside_of(out) as opened, parquet().ParquetWriter(opened, schema, compression="zstd") as writer:
        for group in groups:
            writer.write_table(group, row_group_size=ROW_GROUP)
