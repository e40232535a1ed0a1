"""Exact sequence alignment on CPU vector units and GPUs.

The functions of this module share one session, which the first call makes. The session may use all devices of the
machine, all cores that the process may run on, and 8 GiB of memory. To choose these yourself, make a :class:`Session`
and call its methods, which have the names of the functions.

>>> import alnus
>>> alnus.align("MKVLAW", "MKVAW", mode="global").cigar
'3=1I2='
"""

# Imported names that begin with an underscore stay out of dir(alnus), and so out of what completion shows.
import typing as _typing
from importlib import import_module as _import_module

from alnus import _interpreter as _interpreter  # isort: skip  # the import fails in a subinterpreter
from alnus._alnus import version as _version
from alnus._audits import Audit, ClusterAudit
from alnus._clusters import CertificateCheck, Clusters, Split
from alnus._cost import Cost
from alnus._default import default_session
from alnus._default import of_default_session as _of_default_session
from alnus._errors import (
    AlnusWarning,
    Cancelled,
    DatabaseError,
    DeviceError,
    Error,
    InputError,
    OutOfMemoryError,
    OutputError,
)
from alnus._following import Progress
from alnus._pair import Pair
from alnus._rows import Histogram, Rows
from alnus._scoring import Matrix, Scoring
from alnus._sequences import Database
from alnus._session import Session
from alnus._statistics import Calibration, Estimate, ZValues
from alnus._stream import PairStream
from alnus._tables import Table
from alnus._versions import devices, show_versions

__version__ = _version()

__all__ = [
    "AlnusWarning",
    "Audit",
    "Calibration",
    "Cancelled",
    "CertificateCheck",
    "ClusterAudit",
    "Clusters",
    "Cost",
    "Database",
    "DatabaseError",
    "DeviceError",
    "Error",
    "Estimate",
    "Histogram",
    "InputError",
    "Matrix",
    "OutOfMemoryError",
    "OutputError",
    "Pair",
    "PairStream",
    "Progress",
    "Rows",
    "Scoring",
    "Session",
    "Split",
    "Table",
    "ZValues",
    "align",
    "align_pairs",
    "all_pairs",
    "audit",
    "calibrate",
    "cdist",
    "cluster",
    "cost_of_align",
    "cost_of_all_pairs",
    "cost_of_search",
    "default_session",
    "devices",
    "identity_range",
    "make_database",
    "pdist",
    "search",
    "show_versions",
    "split",
    "verify",
    "write_all_pairs",
    "z_values",
]

search = _of_default_session(Session.search)
align = _of_default_session(Session.align)
align_pairs = _of_default_session(Session.align_pairs)
all_pairs = _of_default_session(Session.all_pairs)
write_all_pairs = _of_default_session(Session.write_all_pairs)
pdist = _of_default_session(Session.pdist)
cdist = _of_default_session(Session.cdist)
cluster = _of_default_session(Session.cluster)
split = _of_default_session(Session.split)
audit = _of_default_session(Session.audit)
verify = _of_default_session(Session.verify)
cost_of_search = _of_default_session(Session.cost_of_search)
cost_of_align = _of_default_session(Session.cost_of_align)
cost_of_all_pairs = _of_default_session(Session.cost_of_all_pairs)
z_values = _of_default_session(Session.z_values)
identity_range = _of_default_session(Session.identity_range)
calibrate = _of_default_session(Session.calibrate)
make_database = _of_default_session(Session.make_database)

_SUBMODULES = ("adapters", "distributed", "model_selection", "plot")  # each is imported when it is first used

if _typing.TYPE_CHECKING:
    from alnus import adapters as adapters
    from alnus import distributed as distributed
    from alnus import model_selection as model_selection
    from alnus import plot as plot
else:

    def __getattr__(name):
        if name in _SUBMODULES:
            return _import_module(f"alnus.{name}")
        raise AttributeError(f"module 'alnus' has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *_SUBMODULES})
