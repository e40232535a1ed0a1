"""Tables of results, which become frames of pandas and polars, Arrow tables, and so parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars

Columns = dict[str, Any]  # arrays, or lists of texts, by name


def objects(texts: list[Any]) -> npt.NDArray[np.object_]:
    """Return an array of texts, in which None stands for a text that is missing."""
    array = np.empty(len(texts), dtype=np.object_)
    array[:] = texts
    return array


def _is_text(column: Any) -> bool:
    return isinstance(column, list) or column.dtype == object


def pandas_of(columns: Columns) -> pandas.DataFrame:
    """Return a pandas DataFrame."""
    import pandas

    frame = pandas.DataFrame(columns)
    text = pandas.Series([""]).dtype  # which pandas does not infer from no rows, nor from missing texts alone
    others = [name for name, column in columns.items() if _is_text(column) and frame[name].dtype != text]
    return frame.astype(dict.fromkeys(others, text)) if others else frame


def polars_of(columns: Columns) -> polars.DataFrame:
    """Return a polars DataFrame."""
    import polars

    return polars.DataFrame(
        {
            name: polars.Series(list(column), dtype=polars.String) if _is_text(column) else column
            for name, column in columns.items()
        }
    )


def arrow_of(columns: Columns) -> Any:
    """Return a pyarrow Table."""
    import pyarrow

    return pyarrow.table(
        {
            name: pyarrow.array(column, pyarrow.string()) if _is_text(column) else pyarrow.array(column)
            for name, column in columns.items()
        }
    )


class Fields:
    """What has the fields that it is made with: a dataclass would take longer when the package is imported."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Tabular:
    """What has columns by name, and becomes a frame. A class of this kind has a method ``to_dict``."""

    def to_dict(self) -> Columns:
        """Return the columns by name: NumPy arrays of numbers, and arrays of str objects or None."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame of the columns of :meth:`to_dict`."""
        return pandas_of(self.to_dict())

    def to_polars(self) -> polars.DataFrame:
        """Return a polars DataFrame of the columns of :meth:`to_dict`."""
        return polars_of(self.to_dict())

    def to_arrow(self) -> Any:
        """Return the columns of :meth:`to_dict` as a pyarrow Table."""
        return arrow_of(self.to_dict())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream of the columns of :meth:`to_dict`. Needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


class Table(Tabular):
    """A table: ``table["id"]`` is a column, and ``to_pandas()`` makes a frame.

    Numbers are NumPy arrays, and texts are arrays of str objects, in which None stands for a text that is missing.

    Examples
    --------
    >>> found = audit({"a": "MKVLAWQRYT"}, {"b": "MKVLAWQRYS"}, relation="whole:80")
    >>> found.leaks["id"].tolist(), found.leaks["earlier_id"].tolist(), found.leaks["value"].tolist()
    (['b'], ['a'], [90.0])
    """

    def __init__(self, rows: int, make: Callable[[], Columns]) -> None:
        self._rows = rows
        self._make = make  # ids of many rows take time, so that columns are made when they are looked at
        self._columns: Columns | None = None

    def to_dict(self) -> Columns:
        """Return the columns by name: NumPy arrays of numbers, and arrays of str objects or None."""
        if self._columns is None:
            self._columns = self._make()
        return dict(self._columns)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.to_dict())

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = self.to_dict()
        return (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        columns = self.to_dict()
        if name not in columns:
            raise KeyError(f"There is no column {name!r}; there are {', '.join(columns)}.")
        column: npt.NDArray[Any] = columns[name]
        return column

    def __reduce__(self) -> tuple[Any, ...]:
        return _table_of, (self._rows, self.to_dict())

    def __repr__(self) -> str:
        return f"<Table: {self._rows:,} rows of {', '.join(self.names)}>"


def _table_of(rows: int, columns: Columns) -> Table:
    return Table(rows, lambda: columns)
