"""Price lists of other people: each trap of the cases C and E that concerns prices, by its name.

The files are small and ours; the layouts are those of skypilot-catalog and gpuhunt.
"""

import datetime
from pathlib import Path

import pytest

from scalesheet.catalog import Price, shipped
from scalesheet.errors import ScalesheetError
from scalesheet_workbooks.price_files import (
    Listing,
    PriceFileError,
    Rate,
    Terms,
    read_listing,
)
from scalesheet_workbooks.price_files.foreign import HOSTS
from scalesheet_workbooks.price_files.sheet import Wrong, strict_number

DATA = Path(__file__).parents[1] / "data" / "prices"
DAY = datetime.date(2026, 9, 6)
TERMS = Terms(today=datetime.date(2026, 11, 30), as_of=DAY, provider="Example Cloud")
OWN = "gpu,provider,term,price,unit,gpus_per_instance,as_of"
SKYPILOT = "InstanceType,AcceleratorName,AcceleratorCount,Price,Region,GpuInfo,SpotPrice"


def read(path: Path, terms: Terms = TERMS) -> Listing:
    """What a list holds, and that nothing wrong became a price."""
    listing = read_listing(path, terms)
    for price in listing.prices:
        assert price.usd_per_gpu_hour > 0
        assert price.catalog == "user"
        assert price.line
    for line in (*listing.problems, *listing.remarks):
        assert "\n" not in line
    return listing


def written(folder: Path, *lines: str, name: str = "list.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path


def by_key(listing: Listing) -> dict[tuple[str, str, int], list[float]]:
    found: dict[tuple[str, str, int], list[float]] = {}
    for price in listing.prices:
        key = (price.gpu, price.term, price.gpus_per_instance)
        found.setdefault(key, []).append(price.usd_per_gpu_hour)
    return found


# --- skypilot-catalog ----------------------------------------------------------------------------


def test_skypilot() -> None:
    listing = read(DATA / "skypilot_nebius.csv")
    assert listing.format == "skypilot-catalog"
    assert listing.problems == ()
    assert by_key(listing) == {
        ("H100-80GB", "on-demand", 1): [2.95],
        ("H100-80GB", "on-demand", 8): [2.95],  # 23.60 / 8
        ("H100-80GB", "spot", 1): [1.25],
        ("H100-80GB", "spot", 8): [1.25],
        ("H200", "on-demand", 8): [3.5, 3.8],  # two regions, both kept
        ("H200", "spot", 8): [1.45],  # the blank of the other region is unknown, not 0
    }
    assert [r.partition(": ")[2] for r in listing.remarks] == [
        "1 line without a GPU: left out",
        "1 line of GPUs that the catalog does not have (V100): left out",
    ]


def test_the_original_stays_beside_the_result() -> None:
    price = next(p for p in read(DATA / "skypilot_nebius.csv").prices if p.gpus_per_instance == 8)
    assert (price.original_price, price.original_unit, price.line) == (23.6, "USD/instance-h", 4)
    assert (price.as_of, price.provider, price.region) == (DAY, "Example Cloud", "eu-north1")
    assert price.locator == "skypilot_nebius.csv: line 4"


def test_c02_host_and_gpus_on_lines_of_their_own_are_added_up() -> None:
    listing = read(DATA / "skypilot_gcp.csv")
    assert listing.problems == ()
    assert {key: [round(p, 9) for p in prices] for key, prices in by_key(listing).items()} == {
        ("A100-40GB", "on-demand", 1): [3.67],  # 0.74 + 2.93
        ("A100-40GB", "spot", 1): [1.93],  # 0.39 + 1.54
        ("A100-40GB", "on-demand", 8): [3.67375],  # (5.92 + 23.47) / 8
        ("A100-40GB", "spot", 8): [1.9275],
        ("L4", "on-demand", 1): [0.71],  # with the cheapest host; without the spot of the host
    }
    one = listing.prices[0]
    assert one.note == "host 0.74 of line 2 and GPUs 2.93, added up"
    assert one.instance == "a2-highgpu-1g"


def test_c02_a_host_alone_is_no_gpu_price() -> None:
    remarks = " ".join(read(DATA / "skypilot_gcp.csv").remarks)
    assert "1 line of a host whose GPU price is not in the file: left out" in remarks
    assert "1 line of GPUs in a place where the file has no host for them: left out" in remarks
    assert "(tpu-v6e-64)" in remarks


def test_c02_gpus_alone_are_no_gpu_price(tmp_path: Path) -> None:
    path = written(tmp_path, SKYPILOT, ",H100,8,20,eu,,")
    (problem,) = read(path).problems
    assert problem == (
        "list.csv: line 2: is the price of 8 x H100-80GB without a host: "
        "add the line of the host, or the price of both"
    )


def test_c02_a_host_price_under_the_name_of_its_gpu_is_remarked_on(tmp_path: Path) -> None:
    # skypilot-catalog issue 31: a2-highgpu-1g at 0.94, the host only; all in it is 4.05.
    line = "a2-highgpu-1g,A100,1,0.94,asia,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},"
    (remark,) = read(written(tmp_path, SKYPILOT, line, line.replace("0.94", "4.05"))).remarks
    assert "line 2: 0.94 USD/GPU-h, and the catalog has A100-40GB on-demand from 2.745" in remark
    assert remark.endswith("is something left out or the wrong unit?")


def test_hosts_have_gpus_of_the_catalog() -> None:
    assert {gpu for gpu, _ in HOSTS.values()} <= set(shipped().gpu_names)


@pytest.mark.parametrize(
    ("name", "memory", "gpu"),
    [
        ("A100", "40960", "A100-40GB"),
        ("A100", "81920", "A100-80GB"),
        ("A100", "80", "A100-80GB"),  # GB under the name of MiB, as one of the lists has it
        ("A100", "0", "A100-40GB"),  # SkyPilot's own name for the smaller part
        ("A100-80GB", "0", "A100-80GB"),
        ("H100-SXM", "81920", "H100-80GB"),
        ("B200", "183359", "B200"),
        ("RTX4090", "24576", "RTX-4090"),
    ],
)
def test_the_part_is_that_of_the_memory(tmp_path: Path, name: str, memory: str, gpu: str) -> None:
    info = f"{{'Gpus': [{{'MemoryInfo': {{'SizeInMiB': {memory}}}}}]}}"
    path = written(tmp_path, SKYPILOT, f"x,{name},1,3.00,eu,{info},")
    assert [price.gpu for price in read(path).prices] == [gpu]


def test_zones_of_one_region_are_one_row(tmp_path: Path) -> None:
    header = f"{SKYPILOT},AvailabilityZone"
    lines = (f"x,H100,8,24,eu,,,eu-{zone}" for zone in "abc")
    assert len(read(written(tmp_path, header, *lines)).prices) == 1


def test_a_region_may_be_chosen() -> None:
    terms = Terms(TERMS.today, DAY, "Example Cloud", region="US Central1")
    (price,) = read(DATA / "skypilot_nebius.csv", terms).prices
    assert (price.region, price.usd_per_gpu_hour) == ("us-central1", 3.8)


# --- gpuhunt -------------------------------------------------------------------------------------


def test_gpuhunt() -> None:
    listing = read(DATA / "gpuhunt_good.csv")
    assert listing.format == "gpuhunt"
    assert listing.problems == ()
    assert by_key(listing) == {
        ("A100-80GB", "on-demand", 8): [1.95],
        ("A100-80GB", "spot", 8): [1.3],
        ("A100-40GB", "on-demand", 1): [2.8],
        ("H100-94GB-NVL", "on-demand", 2): [6.5],
    }


BAD_LINES = {
    2: 'price is "4-6", a range: write one number',  # E03
    3: 'price is "1,234", which can be 1234 or 1.234: write the one that you mean',
    4: "price must be above 0, not -2.5",
    5: "price must be above 0, not 0: leave the cell empty where it is not known",
    6: 'price is "nan": leave the cell empty where nothing is known',
    7: 'price is "call us", not a number',
    8: 'price is "$15.60": write the number alone and the currency in the unit, as USD/GPU-h',
    9: "gpu_count is missing: how many GPUs does the price cover?",
    10: "gpu_count must be whole, not 0.5: a share of a GPU has no price per GPU",  # C04
    11: "gpu_count must be above 0, not 0: leave the cell empty where it is not known",
    12: "price is missing: fill it in or drop the line",  # E03: two blanks
    13: 'spot must be True or False, not ""',
    14: "A100 with 64 GB is not in the catalog, whose A100-80GB has 80 GB: "
    "correct the name or the memory",
    15: "there are 11 cells and 10 columns: write numbers without commas, "
    "and texts with commas in double quotes",
    16: 'price is "15,60", with a comma: write 15.60',
}


def test_e03_every_problem_is_said_at_once_with_its_line() -> None:
    listing = read(DATA / "gpuhunt_bad.csv")
    said = [f"gpuhunt_bad.csv: line {line}: {what}" for line, what in BAD_LINES.items()]
    assert list(listing.problems) == said
    assert [price.instance for price in listing.prices] == ["good"]


# --- Our own form --------------------------------------------------------------------------------


def test_own() -> None:
    listing = read(DATA / "own_good.csv")
    assert (listing.format, listing.problems) == ("own", ())
    assert by_key(listing) == {
        ("H100-80GB", "on-demand", 8): [2.95],
        ("H100-80GB", "reserved-3y", 1): [1.2],
        ("H200", "on-demand", 8): [3.5],  # 20,440 / 730 / 8
    }
    assert {price.source for price in listing.prices} == {"offer 17"}


def test_own_with_a_column_for_each_term() -> None:
    listing = read(DATA / "own_wide.csv")
    assert listing.problems == ()
    assert [(p.gpu, p.term, p.usd_per_gpu_hour) for p in listing.prices] == [
        ("A100-80GB", "on-demand", 2.0),
        ("A100-80GB", "reserved-1y", 1.3),
        ("A100-80GB", "reserved-3y", 0.8),
        ("H100-80GB", "on-demand", 3.0),
        ("H100-80GB", "spot", 1.2),
        ("H100-80GB", "reserved-3y", 0.15),
    ]


def test_e04_a_three_year_price_far_from_its_usual_share() -> None:
    (remark,) = read(DATA / "own_wide.csv").remarks
    assert (
        "line 3: the three-year price is 5% of the one on demand, and 35% to 45% is usual" in remark
    )


OWN_TRAPS = {
    "C01 unit missing": ("H100,x,spot,2,,8,2026-09-06", "unit is missing: write USD/GPU-h"),
    "C01 unit unknown": ("H100,x,spot,2,USD/hour,8,2026-09-06", "unit must be one of GPU-h"),
    "C01 count missing": (
        "H100,x,spot,20,USD/instance-h,,2026-09-06",
        "gpus_per_instance is missing",
    ),
    "C04 half a GPU": ("H100,x,spot,2,USD/instance-h,0.5,2026-09-06", "must be whole, not 0.5"),
    "C04 no GPU": ("H100,x,spot,2,USD/instance-h,0,2026-09-06", "must be above 0, not 0"),
    "C19 no currency": (
        "H100,x,spot,2,GPU-h,1,2026-09-06",
        "currency is missing: write unit as USD/",
    ),
    "C19 symbol": (
        "H100,x,spot,€2,EUR/GPU-h,1,2026-09-06",
        "write the number alone and the currency",
    ),
    "C19 code": (
        "H100,x,spot,2 EUR,EUR/GPU-h,1,2026-09-06",
        "write the number alone and the currency",
    ),
    "C19 no rate": ("H100,x,spot,2,EUR/GPU-h,1,2026-09-06", "add --rate EUR=RATE"),
    "E03 range": ("H100,x,spot,4-6,USD/GPU-h,1,2026-09-06", 'price is "4-6", a range'),
    "E03 range in words": (
        "H100,x,spot,4 to 6,USD/GPU-h,1,2026-09-06",
        "a range: write one number",
    ),
    "E03 blank": ("H100,x,spot,,USD/GPU-h,1,2026-09-06", "price is missing"),
    "unknown GPU": ("H1000,x,spot,2,USD/GPU-h,1,2026-09-06", "nearest are H100-80GB"),
    "unknown term": ("H100,x,weekly,2,USD/GPU-h,1,2026-09-06", "term must be a name"),
    "no provider": ("H100,,spot,2,USD/GPU-h,1,2026-09-06", "provider is missing"),
    "no date": ("H100,x,spot,2,USD/GPU-h,1,", "as_of is missing: add --as-of DATE"),
    "a month": ("H100,x,spot,2,USD/GPU-h,1,2026-09", 'a date like 2026-09-06, not "2026-09"'),
    "a day to come": ("H100,x,spot,2,USD/GPU-h,1,2027-01-01", "is yet to come"),
    "large": ("H100,x,spot,2e6,USD/GPU-h,1,2026-09-06", "must be above 0 to"),
    "infinite": (
        "H100,x,spot,1e999,USD/GPU-h,1,2026-09-06",
        "the price per GPU-hour must be a number",
    ),
    "thousands": (
        'H100,x,spot,"1,234.56",USD/GPU-h,1,2026-09-06',
        "without separators of thousands",
    ),
    "percent": ("H100,x,spot,80%,USD/GPU-h,1,2026-09-06", "not a number"),
    "digits of another script": ("H100,x,spot,٢,USD/GPU-h,1,2026-09-06", "not a number"),
    "underscore": ("H100,x,spot,1_0,USD/GPU-h,1,2026-09-06", "not a number"),
}


@pytest.mark.parametrize(("line", "said"), OWN_TRAPS.values(), ids=OWN_TRAPS)
def test_own_trap(tmp_path: Path, line: str, said: str) -> None:
    listing = read(written(tmp_path, OWN, line), Terms(TERMS.today))
    assert listing.prices == ()
    (problem,) = listing.problems
    assert problem.startswith("list.csv: line 2: ")
    assert said in problem


def test_two_currencies_of_one_price(tmp_path: Path) -> None:
    path = written(tmp_path, f"{OWN},currency", "H100,x,spot,2,USD/GPU-h,1,2026-09-06,EUR")
    assert "currency is EUR and unit says USD" in read(path).problems[0]


# --- C01: per GPU or per instance ----------------------------------------------------------------


def remarks_on(folder: Path, *lines: str) -> list[str]:
    listing = read(written(folder, OWN, *lines))
    assert listing.problems == ()
    return [remark.removeprefix("list.csv: ") for remark in listing.remarks]


def test_c01_an_instance_price_given_per_gpu(tmp_path: Path) -> None:
    (remark,) = remarks_on(tmp_path, "H100,x,on-demand,98.32,USD/GPU-h,8,2026-09-06")
    assert remark.startswith(
        "line 2: 98.32 USD/GPU-h, and the catalog has H100-80GB on-demand from "
    )
    assert remark.endswith("is it the price of an instance of 8 GPUs?")


def test_c01_an_instance_price_without_a_count(tmp_path: Path) -> None:
    (remark,) = remarks_on(tmp_path, "H100,x,on-demand,55.04,USD/GPU-h,,2026-09-06")
    assert remark.endswith("is it the price of an instance of 8 GPUs?")


def test_c01_a_price_per_gpu_divided_once_more(tmp_path: Path) -> None:
    (remark,) = remarks_on(tmp_path, "H100,x,on-demand,2.95,USD/instance-h,8,2026-09-06")
    assert remark.endswith("was it the price of one GPU before it was divided by 8?")


def test_c01_one_price_in_two_units(tmp_path: Path) -> None:
    # skypilot PR 9000: an instance of 4 GPUs at 4.00 entered as the price per GPU.
    said = remarks_on(
        tmp_path,
        "L40S,x,on-demand,4.00,USD/instance-h,4,2026-09-06",
        "L40S,x,on-demand,4.00,USD/GPU-h,4,2026-09-06",
    )
    assert "lines 3 and 2: 4 is given per GPU and for an instance of 4: which one is it?" in said


def test_c01_the_price_of_the_instance_beside_that_of_the_gpu(tmp_path: Path) -> None:
    header = f"{OWN},instance_price"
    line = "A10,x,on-demand,{},USD/GPU-h,2,2026-09-06,1.79"
    listing = read(written(tmp_path, header, line.format("1.79"), line.format("0.895")))
    # the-full-stack's list had 2 x A30 at 1.79 and 1.79 per GPU.
    assert listing.problems == (
        "list.csv: line 2: price 1.79 per GPU is the price of the instance of 2 GPUs: "
        "per GPU it is 0.895",
    )
    assert [price.usd_per_gpu_hour for price in listing.prices] == [0.895]
    (problem,) = read(written(tmp_path, header, line.format("1.00"))).problems
    assert "2 GPUs at 1 are 2 and instance_price is 1.79, which is 0.895 per GPU" in problem


def test_c01_a_list_that_forgets_to_multiply(tmp_path: Path) -> None:
    # skypilot-catalog PR 44: 1 to 8 GPUs all at the price of one.
    lines = (f"{n}x,L40S,{n}.0,0.86,US,," for n in (1, 2, 4, 8))
    (first, *_) = read(written(tmp_path, SKYPILOT, *lines)).remarks
    assert (
        "lines 3, 4, 5: 2 x L40S cost as much as 1 (line 2): is 0.86 the price of one GPU?" in first
    )


def test_usual_prices_are_not_remarked_on(tmp_path: Path) -> None:
    lines = [
        f"{p.gpu},x,{p.term},{p.original_price},{p.original_unit},{p.gpus_per_instance},{p.as_of}"
        for p in shipped().prices
    ]
    assert read(written(tmp_path, OWN, *lines)).problems == ()
    assert not [r for r in remarks_on(tmp_path, *lines) if "USD/GPU-h, and" in r]


def test_a_price_far_off_the_catalog(tmp_path: Path) -> None:
    (remark,) = remarks_on(tmp_path, "H100,x,on-demand,0.10,USD/GPU-h,1,2026-09-06")
    assert remark.endswith("is something left out or the wrong unit?")


def test_a_spot_price_above_the_one_on_demand(tmp_path: Path) -> None:
    (remark,) = read(written(tmp_path, SKYPILOT, "x,L40S,1,0.50,eu,,0.60")).remarks
    assert remark.endswith("line 2: the spot price is above the one on demand: are they swapped?")


# --- C02 in our own form -------------------------------------------------------------------------


def test_c02_parts_are_added_up_and_a_part_alone_is_refused() -> None:
    listing = read(DATA / "own_parts.csv")
    assert listing.problems == (
        "own_parts.csv: line 4: is the price of the host alone: add the line of part gpus",
    )
    (price,) = listing.prices
    assert price.usd_per_gpu_hour == pytest.approx((0.07 + 1.86) / 2)
    assert price.note == "host 0.07 of line 2 and GPUs 1.86, added up"


def test_c02_parts_in_different_units(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        f"{OWN},part",
        "L4,x,spot,0.1,USD/instance-h,1,2026-09-06,host",
        "L4,x,spot,0.5,USD/GPU-h,1,2026-09-06,gpus",
        "L4,x,spot,0.5,USD/GPU-h,1,2026-09-06,everything",
    )
    assert [problem.partition(": ")[2] for problem in read(path).problems] == [
        "line 3: and its host in line 2 differ in unit or number of GPUs",
        'line 4: part must be one of all-in, host, gpus, not "everything"',
    ]


# --- C19: currencies -----------------------------------------------------------------------------


def test_c19_another_currency_needs_a_rate_and_keeps_its_price() -> None:
    path = DATA / "own_euro.csv"
    assert read(path).prices == ()
    assert len(read(path).problems) == 2
    rates = {"EUR": Rate(1.08, datetime.date(2026, 9, 5))}
    h100, h200 = read(path, Terms(TERMS.today, rates=rates)).prices
    assert h100.usd_per_gpu_hour == pytest.approx(2.5 * 1.08)
    assert h200.usd_per_gpu_hour == pytest.approx(28.4 * 1.08 / 8)
    assert (h200.original_price, h200.original_unit) == (28.4, "EUR/instance-h")
    assert h200.note == "1 EUR = 1.08 USD, rate of 2026-09-05"


def test_c19_a_rate_without_a_day_is_of_the_day_of_the_price() -> None:
    listing = read(DATA / "own_euro.csv", Terms(TERMS.today, rates={"EUR": Rate(1.08, None)}))
    assert {price.note for price in listing.prices} == {"1 EUR = 1.08 USD, rate of 2026-09-06"}


# --- E03: duplicates, blanks ---------------------------------------------------------------------


def test_e03_a_line_that_is_there_three_times(tmp_path: Path) -> None:
    line = "H100,x,on-demand,3.00,USD/GPU-h,1,2026-09-06"
    listing = read(written(tmp_path, OWN, line, line, line))
    assert listing.remarks == ("list.csv: lines 3, 4 repeat line 2: taken once",)
    assert len(listing.prices) == 1


def test_e03_a_blank_spot_price_is_unknown(tmp_path: Path) -> None:
    listing = read(written(tmp_path, SKYPILOT, "x,H100,8,24.00,eu,,"))
    assert [(p.term, p.usd_per_gpu_hour) for p in listing.prices] == [("on-demand", 3.0)]


def test_two_blank_prices(tmp_path: Path) -> None:
    (problem,) = read(written(tmp_path, SKYPILOT, "x,H100,8,,eu,,")).problems
    assert "price and spotprice are missing" in problem


# --- Files ---------------------------------------------------------------------------------------


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    line = "H100,x,on-demand,3.00,USD/GPU-h,1,2026-09-06"
    assert len(read(written(tmp_path, OWN, line, encoding="utf-8-sig")).prices) == 1


def test_semicolons_with_decimal_points(tmp_path: Path) -> None:
    line = "H100,x,on-demand,3.125,USD/GPU-h,1,2026-09-06"
    path = written(tmp_path, OWN.replace(",", ";"), line.replace(",", ";"))
    assert [price.usd_per_gpu_hour for price in read(path).prices] == [3.125]


def test_semicolons_with_decimal_commas(tmp_path: Path) -> None:
    line = "H100;x;{};{};USD/GPU-h;1;2026-09-06"
    path = written(
        tmp_path,
        OWN.replace(",", ";"),
        line.format("on-demand", "3,25"),
        line.format("spot", "1,234"),
        line.format("reserved-1y", "2.10"),
    )
    listing = read(path)
    assert [price.usd_per_gpu_hour for price in listing.prices] == [3.25]
    assert [problem.partition(": ")[2] for problem in listing.problems] == [
        'line 3: price is "1,234", which can be 1234 or 1.234: write the one that you mean',
        'line 4: price is "2.10" in a file with decimal commas: write all numbers one way',
    ]


def test_old_line_ends_and_tabs(tmp_path: Path) -> None:
    line = "H100,x,on-demand,3.00,USD/GPU-h,1,2026-09-06"
    path = tmp_path / "list.csv"
    path.write_bytes(f"{OWN}\r\n{line}\r\n".replace(",", "\t").encode())
    assert len(read(path).prices) == 1


FILES = {
    "latin": (
        f"{OWN}\nH100,é".encode("latin-1"),
        "line 2: not UTF-8 text: save the file as CSV UTF-8",
    ),
    "utf-16": (OWN.encode("utf-16"), "not plain text: save it as CSV UTF-8"),
    "workbook": (b"PK\x03\x04\0\0", "not plain text"),
    "empty": (b"", "line 1: not a header of a known price list: skypilot-catalog has"),
    "other": (b"a,b\n1,2\n", "line 1: not a header of a known price list"),
    "column twice": (f"{OWN},price\n".encode(), "line 1: column price is there twice"),
    "open quote": (f'{OWN}\n"H100,x\n'.encode(), "not CSV"),
}


@pytest.mark.parametrize(("data", "said"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_price_list(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(data)
    with pytest.raises(PriceFileError) as error:
        read_listing(path, TERMS)
    (problem,) = error.value.problems
    assert problem.startswith("list.csv: ")
    assert said in problem


def test_files_that_are_none(tmp_path: Path) -> None:
    for path, said in ((tmp_path, "is a folder"), (tmp_path / "x.csv", "there is no such file")):
        with pytest.raises(ScalesheetError, match=said):
            read_listing(path, TERMS)


def test_what_a_foreign_list_does_not_say_is_asked_once() -> None:
    with pytest.raises(PriceFileError) as error:
        read_listing(DATA / "skypilot_nebius.csv", Terms(TERMS.today))
    assert error.value.problems == (
        "skypilot_nebius.csv: the file does not name its provider: add --provider NAME",
        "skypilot_nebius.csv: the file does not say of which day it is: add --as-of DATE",
    )
    with pytest.raises(PriceFileError, match="2027-01-01 is yet to come"):
        read_listing(
            DATA / "skypilot_nebius.csv", Terms(TERMS.today, datetime.date(2027, 1, 1), "x")
        )


def test_characters_that_command_a_terminal_are_dropped(tmp_path: Path) -> None:
    path = written(tmp_path, SKYPILOT, "x\x1b[31my,H100,8,24.00,eu,,")
    assert [price.instance for price in read(path).prices] == ["x [31my"]


def test_numbers() -> None:
    assert strict_number("1e1") == 10
    assert strict_number(".5") == 0.5
    for text in ("1.234.567", "1 234", "1'234", "0x10", "1,2,3", "--1", "1e", "½", "2.95/h"):
        with pytest.raises(Wrong):
            strict_number(text)


def test_ids_are_unique() -> None:
    for name in ("skypilot_nebius.csv", "skypilot_gcp.csv", "gpuhunt_good.csv", "own_wide.csv"):
        prices: tuple[Price, ...] = read(DATA / name).prices
        assert len({price.id for price in prices}) == len(prices)
