"""Draws the power grids and water networks of docs/fields.md: networks.py DIRECTORY [NAME ...] [--tuning]

Writes DIRECTORY/NAME/signals.npy (signals in rows, vertices in shuffled columns) and truth_edges.csv. Grids: voltage
angles of AC power flow, loads drawn around those of the case. Water: heads of a steady state, demands drawn around those
of the file. Needs pandapower 3.5, wntr 1.5, and six and setuptools, which wntr does not ask for.
"""

from __future__ import annotations

import argparse
import logging
import pathlib
import warnings
import zlib

import numpy as np
import pandapower
import pandapower.networks
import wntr

# What is scored, written down before anything was learned from it. Methods may be tuned on TUNING alone.
SCORED = ("case14", "GBreducednetwork", "case30", "case57", "case118", "Net2", "Net3")
TUNING = (
    *(
        "case9",
        "case24_ieee_rts",
        "case33bw",
        "case39",
        "case89pegase",
        "case_illinois200",
        "create_cigre_network_mv",
        "iceland",
    ),
    *("Net1", "skeletonize", "Todini_Fig2_solA_CMH"),
)
SEEDS = {SCORED: 29, TUNING: 1029}

VARIED = 0.3  # standard deviation of each load or demand, over its size
SIGNALS = 10  # for each vertex
STILL = 1e-4  # a vertex whose standard deviation is at most this share of the largest does not vary
EQUAL = 1e-6  # and two whose values differ by at most this share of it are one

Edges = list[tuple[int, int]]


def grid(name: str, r: np.random.Generator) -> tuple[np.ndarray, Edges]:
    """Voltage angles at the buses of a case, and the pairs that lines and transformers join."""
    net = getattr(pandapower.networks, name)()
    buses = {bus: k for k, bus in enumerate(net.bus.index[net.bus.in_service])}
    loads = net.load[["p_mw", "q_mvar"]].to_numpy(float)
    count = SIGNALS * len(buses)
    angles = np.empty((count, len(buses)))
    done, start = 0, "auto"
    while done < count:
        net.load[["p_mw", "q_mvar"]] = loads * (1 + VARIED * r.standard_normal(loads.shape))
        try:
            pandapower.runpp(net, init=start, tolerance_mva=1e-9, max_iteration=30, numba=False)
        except pandapower.LoadflowNotConverged:  # more than the grid can carry
            start = "auto"
            continue
        angles[done] = net.res_bus.va_degree.loc[list(buses)]
        done, start = done + 1, "results"
    pairs, equal = branches(net)
    return merged(
        angles,
        [(buses[i], buses[j]) for i, j in pairs if i in buses and j in buses],
        [(buses[i], buses[j]) for i, j in equal],
    )


def branches(net: pandapower.pandapowerNet) -> tuple[Edges, Edges]:
    """Pairs of buses with something between them that is in service, and pairs that a closed switch makes one."""
    opened = net.switch[~net.switch.closed.astype(bool)]
    pairs: Edges = []
    for table, kind, ends in (
        (net.line, "l", ["from_bus", "to_bus"]),
        (net.trafo, "t", ["hv_bus", "lv_bus"]),
        (net.impedance, None, ["from_bus", "to_bus"]),
    ):
        off = set(opened.element[opened.et == kind])
        pairs += [tuple(row[ends]) for k, row in table.iterrows() if row.in_service and k not in off]
    for _, row in net.trafo3w.iterrows():
        if row.in_service:
            pairs += [(row.hv_bus, row.mv_bus), (row.hv_bus, row.lv_bus), (row.mv_bus, row.lv_bus)]
    joined = net.switch[net.switch.closed.astype(bool) & (net.switch.et == "b")]
    return pairs, list(zip(joined.bus, joined.element, strict=True))


def water(name: str, r: np.random.Generator) -> tuple[np.ndarray, Edges]:
    """Heads at the junctions of a network, and the pairs that pipes, pumps and valves join."""
    model = wntr.network.WaterNetworkModel(str(network_file(name)))
    for control in list(model.control_name_list):  # what they set at the start stands
        model.remove_control(control)
    for tank in list(model.tank_name_list):  # held at their level, so that rows do not depend on one another
        hold(model, tank)
    junctions = {j: k for k, j in enumerate(model.junction_name_list)}
    count = SIGNALS * len(junctions)
    for j in junctions:
        demands = model.get_node(j).demand_timeseries_list
        base = sum(d.base_value for d in demands)
        demands.clear()
        model.add_pattern("varied-" + j, list(np.maximum(0, 1 + VARIED * r.standard_normal(count))))
        demands.append((base, "varied-" + j))
    model.options.time.hydraulic_timestep = model.options.time.pattern_timestep = model.options.time.report_timestep = (
        3600
    )
    model.options.time.duration = 3600 * (count - 1)
    model.options.time.pattern_start = 0
    model.options.hydraulic.demand_model = "DD"
    heads = wntr.sim.WNTRSimulator(model).run_sim(solver_options={"TOL": 1e-9}).node["head"][list(junctions)].to_numpy()
    closed = wntr.network.LinkStatus.Closed
    links = [link for _, link in model.links() if link.initial_status != closed]
    pairs = [
        (junctions[e.start_node_name], junctions[e.end_node_name])
        for e in links
        if e.start_node_name in junctions and e.end_node_name in junctions
    ]
    return merged(heads[:count].round(9), pairs, [])  # the solver has no more digits


def network_file(name: str) -> pathlib.Path:
    """The file of a network that ships with wntr."""
    home = pathlib.Path(wntr.__file__).parent
    return next(
        path
        for path in (
            home / "library" / "networks" / f"{name}.inp",
            home / "tests" / "networks_for_testing" / f"{name}.inp",
        )
        if path.exists()
    )


def hold(model: wntr.network.WaterNetworkModel, tank: str) -> None:
    """Turn a tank into a reservoir of the same head."""
    node = model.get_node(tank)
    model.add_reservoir(tank + "-held", base_head=node.elevation + node.init_level, coordinates=node.coordinates)
    held = model.get_node(tank + "-held")
    for link in model.get_links_for_node(tank):
        link = model.get_link(link)
        if link.start_node_name == tank:
            link.start_node = held
        else:
            link.end_node = held
    model.remove_node(tank)


def merged(signals: np.ndarray, pairs: Edges, equal: Edges) -> tuple[np.ndarray, Edges]:
    """Make one vertex of those that are joined or measure the same, and drop those that do not vary."""
    spread = signals.std(0)
    vary = np.flatnonzero(np.nan_to_num(spread) > STILL * np.nanmax(spread))
    of = np.arange(signals.shape[1])
    for i, j in equal:
        of[of == of[j]] = of[i]
    centred = signals - signals.mean(0)
    for a in vary:
        for b in vary[vary > a]:
            if of[a] != of[b] and np.abs(centred[:, a] - centred[:, b]).max() <= EQUAL * spread.max():
                of[of == of[b]] = of[a]
    kept = sorted({of[k] for k in vary} & set(vary))
    place = {of[k]: n for n, k in enumerate(kept)}
    edges = {
        tuple(sorted((place[of[i]], place[of[j]])))
        for i, j in pairs
        if of[i] in place and of[j] in place and of[i] != of[j]
    }
    return signals[:, kept][: SIGNALS * len(kept)], sorted(edges)


def write(folder: pathlib.Path, signals: np.ndarray, edges: Edges, r: np.random.Generator) -> None:
    """Write a set, with its columns shuffled."""
    folder.mkdir(parents=True, exist_ok=True)
    order = r.permutation(signals.shape[1])
    place = np.argsort(order)
    np.save(folder / "signals.npy", signals[:, order])
    lines = ["source,target,weight", *(f"v{place[i]},v{place[j]},1" for i, j in edges)]
    (folder / "truth_edges.csv").write_text("\n".join(lines) + "\n")


def main() -> None:
    """Draw the sets that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="all if none is given")
    parser.add_argument("--tuning", action="store_true", help="those to tune on, instead of those that are scored")
    asked = parser.parse_intermixed_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    sets = TUNING if asked.tuning else SCORED
    for name in asked.names or sets:
        r = np.random.default_rng([SEEDS[sets], zlib.crc32(name.encode())])
        draw = grid if hasattr(pandapower.networks, name) else water
        signals, edges = draw(name, r)
        write(asked.directory / name, signals, edges, r)
        print(f"{name}: {signals.shape[1]} vertices, {signals.shape[0]} signals, {len(edges)} edges", flush=True)


if __name__ == "__main__":
    main()
