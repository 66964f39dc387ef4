"""The machine of a campaign, by name: what campaigns share whose numbers may be one series.

- **Processor and CPUs** of the hosts that measured, as launches recorded them. Another processor is another machine,
  whatever its host is called.
- **The host's name**, so that two servers of one kind are two machines. On a cluster each night has other nodes: in an
  allocation, and where a launch has several hosts, numbers in names are left out (`node#`). A container has a new name
  each time, so that it has none here.

Not the kernel, the governor or the libraries: they change on one machine, and a history says when.
"""

import re
from collections.abc import Iterable, Mapping

from ictus.store.campaign import Campaign

UNKNOWN_MACHINE = "unknown machine"
_CONTAINERS = re.compile(r"docker|podman|lxc|nspawn|\bcontainer|kube", re.IGNORECASE)
"""Not Apptainer and Singularity: they keep the host's name."""
_SIMULATED = "simulated"
_NOTHING = ("", "None", "unknown", "unset", _SIMULATED)


def machine_of(campaign: Campaign) -> str:
    """`alpha: A Processor 9, 128 CPUs`, `node#: ...`, `container: ...`."""
    heads = [launch.record.head for launch in campaign.launches]
    hosts = [launch.record.hosts for launch in campaign.launches]
    kinds = [host.kind for each in hosts for host in each if host.name != _SIMULATED]
    machine = campaign.machine
    return _name(
        {host.name for each in hosts for host in each} - {_SIMULATED} or {str(machine.get("host"))},
        {str(kind.get("cpu_model")) for kind in kinds} or {str(machine.get("cpu_model"))},
        {str(kind.get("n_cpus")) for kind in kinds} or {str(machine.get("n_cpus_online", machine.get("n_cpus")))},
        numbered=any(head.allocation_nodes for head in heads) or any(len(each) > 1 for each in hosts),
        contained=any(map(_is_container, (machine.get("virtual"), *(kind.get("container") for kind in kinds)))),
    )


def machine_of_facts(facts: Mapping[str, str]) -> str:
    """The same from the facts of a store that was written before stores had machines: allocations are not in it."""
    hosts = {host for host in facts.get("hosts", "").split(", ") if host not in _NOTHING}
    return _name(
        hosts or {facts.get("host", "")},
        {facts.get("cpu_model", "")},
        {facts.get("n_cpus", "")},
        numbered=len(hosts) > 1,
        contained=_is_container(facts.get("virtual")),
    )


def _is_container(kind: object) -> bool:
    return _CONTAINERS.search(str(kind)) is not None


def _name(
    hosts: Iterable[str], models: Iterable[str], n_cpus: Iterable[str], *, numbered: bool, contained: bool
) -> str:
    named = {re.sub(r"\d+", "#", host) if numbered else host for host in _known(hosts)}
    host = "container" if contained else " and ".join(sorted(named))
    model = " and ".join(sorted(" ".join(model_name.split()) for model_name in _known(models)))
    cpus = " or ".join(sorted(_known(n_cpus), key=lambda text: (len(text), text)))
    kind = ", ".join(part for part in (model, cpus and f"{cpus} CPUs") if part)
    return ": ".join(part for part in (host, kind) if part) or UNKNOWN_MACHINE


def _known(texts: Iterable[str]) -> set[str]:
    return {text for text in texts if text not in _NOTHING}
