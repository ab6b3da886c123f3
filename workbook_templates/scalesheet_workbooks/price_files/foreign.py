"""The lists of skypilot-catalog (vms.csv) and of gpuhunt: prices of instances, in USD an hour."""

import re
from collections import defaultdict

from scalesheet.catalog.units import INSTANCE_HOUR
from scalesheet_workbooks.price_files.offers import USD, Offer, Reader
from scalesheet_workbooks.price_files.sheet import Line, Wrong

SKYPILOT = ("instancetype", "acceleratorname", "acceleratorcount", "price", "region")
GPUHUNT = ("instance_name", "location", "price", "gpu_count", "gpu_name", "spot")
ON_DEMAND, SPOT = "on-demand", "spot"

GIB = 1024.0
MEMORY = re.compile(r"'SizeInMiB': ([0-9.]+)")
BARE_NAMES = {"a100": "A100-40GB"}
"""SkyPilot calls the other part A100-80GB, so that its A100 without a memory is that of 40 GB."""

HOSTS = {
    **{f"a2-highgpu-{n}g": ("A100-40GB", n) for n in (1, 2, 4, 8)},
    "a2-megagpu-16g": ("A100-40GB", 16),
    **{f"a2-ultragpu-{n}g": ("A100-80GB", n) for n in (1, 2, 4, 8)},
    **{f"g2-standard-{cpus}": ("L4", 1) for cpus in (4, 8, 12, 16, 32)},
    "g2-standard-24": ("L4", 2),
    "g2-standard-48": ("L4", 4),
    "g2-standard-96": ("L4", 8),
    **{f"a3-highgpu-{n}g": ("H100-80GB", n) for n in (1, 2, 4, 8)},
    "a3-megagpu-8g": ("H100-80GB", 8),
    "a3-ultragpu-8g": ("H200", 8),
    "a4-highgpu-8g": ("B200", 8),
}
"""Hosts of Google Cloud that are sold with one kind and number of GPUs only, from SkyPilot's
gcp_catalog.py; the list prices host and GPUs on lines of their own."""


def skypilot(reader: Reader) -> None:
    """Instances with their GPUs; hosts and GPUs that are priced apart are added up."""
    hosts: dict[tuple[str, int], list[Line]] = defaultdict(list)
    alone: list[Line] = []
    for line in reader.sheet.lines:
        instance, name = line.text("instancetype"), line.text("acceleratorname")
        if instance and name:
            _skypilot_instance(reader, line)
        elif name:
            alone.append(line)
        elif instance in HOSTS:
            hosts[HOSTS[instance]].append(line)
        else:
            reader.left_out["without a GPU"] += 1
    joined = {host.number for line in alone for host in _skypilot_alone(reader, line, hosts)}
    for of_gpu in hosts.values():
        for host in of_gpu:
            if host.number not in joined:
                reader.left_out["of a host whose GPU price is not in the file"] += 1


def _skypilot_gpu(reader: Reader, line: Line) -> str | None:
    name = line.text("acceleratorname")
    size = MEMORY.search(line.text("gpuinfo"))
    memory = float(size[1]) if size else 0.0
    if memory == 0:
        name = BARE_NAMES.get(name.lower(), name)
    # Some of the lists write GB under this name.
    memory_gb = memory / GIB if memory >= GIB else memory
    return reader.gpu(name, memory_gb or None)


def _skypilot_instance(reader: Reader, line: Line) -> None:
    try:
        gpu = _skypilot_gpu(reader, line)
        if gpu is None:
            return
        gpus = reader.count(line, "acceleratorcount")
        prices = [(ON_DEMAND, reader.sheet.number(line, "price"))]
        prices += [(SPOT, reader.sheet.number(line, "spotprice"))]
        if all(price is None for _, price in prices):
            raise Wrong("price and spotprice are missing: fill in one of them")
        for term, price in prices:
            _add(reader, line, gpu, term, price, gpus, line.text("instancetype"))
    except Wrong as wrong:
        reader.refuse(line, wrong)


def _skypilot_alone(
    reader: Reader, line: Line, hosts: dict[tuple[str, int], list[Line]]
) -> list[Line]:
    """Add the price of GPUs without a host to that of the cheapest host in the same place."""
    try:
        gpu = _skypilot_gpu(reader, line)
        if gpu is None:
            return []
        gpus = reader.count(line, "acceleratorcount")
        of_gpu = hosts.get((gpu, gpus), [])
        here = [host for host in of_gpu if _place(host) == _place(line)]
        if not here:
            if of_gpu:
                reader.left_out["of GPUs in a place where the file has no host for them"] += 1
                return []
            raise Wrong(
                f"is the price of {gpus} x {gpu} without a host: add the line of the host, "
                "or the price of both"
            )
        for term, column in ((ON_DEMAND, "price"), (SPOT, "spotprice")):
            part = reader.sheet.number(line, column)
            offers = [(reader.sheet.number(host, column), host) for host in here]
            priced = [(price, host) for price, host in offers if price is not None]
            if part is None or not priced:
                continue
            price, host = min(priced, key=lambda pair: pair[0])
            instance = host.text("instancetype")
            note = f"host {price:g} of line {host.number} and GPUs {part:g}, added up"
            _add(reader, line, gpu, term, price + part, gpus, instance, note)
    except Wrong as wrong:
        reader.refuse(line, wrong)
        return []
    return here


def _place(line: Line) -> tuple[str, str]:
    return line.text("region"), line.text("availabilityzone")


def gpuhunt(reader: Reader) -> None:
    """Instances, with a line for the price on demand and one for the spot price."""
    for line in reader.sheet.lines:
        try:
            _gpuhunt_instance(reader, line)
        except Wrong as wrong:
            reader.refuse(line, wrong)


def _gpuhunt_instance(reader: Reader, line: Line) -> None:
    name, count = line.text("gpu_name"), line.text("gpu_count")
    if not name and count in ("", "0", "0.0"):
        reader.left_out["without a GPU"] += 1
        return
    if not name:
        raise Wrong("gpu_name is missing: which GPU is it?")
    gpu = reader.gpu(name, reader.sheet.number(line, "gpu_memory"))
    if gpu is None:
        return
    gpus = reader.count(line, "gpu_count")
    spot = line.text("spot").lower()
    if spot not in ("true", "false"):
        raise Wrong(f'spot must be True or False, not "{line.text("spot")}"')
    price = reader.sheet.number(line, "price")
    if price is None:
        raise Wrong("price is missing: fill it in or drop the line")
    term = SPOT if spot == "true" else ON_DEMAND
    _add(reader, line, gpu, term, price, gpus, line.text("instance_name"))


def _add(
    reader: Reader,
    line: Line,
    gpu: str,
    term: str,
    price: float | None,
    gpus: int,
    instance: str,
    note: str = "",
) -> None:
    if price is None:
        return
    provider = line.text("provider") or reader.terms.provider
    if not provider:
        raise Wrong("the file does not name its provider: add --provider NAME")
    offer = Offer(
        line.number,
        gpu,
        provider,
        term,
        price,
        USD,
        INSTANCE_HOUR,
        gpus,
        reader.day(),
        line.text("region") or line.text("location"),
        instance,
        note=note,
    )
    reader.offers.append(offer)
