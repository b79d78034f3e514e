"""Symbol graphs as the documentation and the baseline of the public surface need them.

PiuPiuAsync re-exports the modules that it is made of, and users import only it. `collect` therefore writes one graph for all of
them, as if they were one module.
"""
import json
import pathlib

ROOMS = [
    "PiuPiuBytes", "PiuPiuValues", "PiuPiuCore", "PiuPiuExchange", "PiuPiuSockets", "PiuPiuURLSession", "PiuPiuPolicies",
    "PiuPiuWebSocket", "PiuPiuAsync",
]
MODULES = ["PiuPiuAsync", "PiuPiuFutures", "PiuPiuTransforms", "PiuPiuTesting", "PiuPiuRecording", "PiuPiuCurl"]
LEGACY = ["PiuPiuClassic", "NetworkKit", "Futuristics"]


def collect(graphs, module, folder):
    """Writes the graphs of a module to a folder.

    graphs has what `swift package dump-symbol-graph --emit-extension-block-symbols` made.
    """
    graphs, folder = pathlib.Path(graphs), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    merged = {}
    for room in ROOMS if module == "PiuPiuAsync" else [module]:
        for path in sorted(graphs.glob(f"{room}.symbols.json")) + sorted(graphs.glob(f"{room}@*.symbols.json")):
            graph = json.loads(path.read_text(encoding="utf-8"))
            extended = path.name.removesuffix(".symbols.json").partition("@")[2]
            if extended in ROOMS and module == "PiuPiuAsync":
                join_extensions(graph)
                extended = ""
            elif extended in ROOMS:
                extended = "PiuPiuAsync"
            name = f"{module}@{extended}" if extended else module
            if name not in merged:
                merged[name] = graph
                graph["module"]["name"] = module
                for symbol in graph["symbols"]:
                    rename(symbol)
                continue
            for symbol in graph["symbols"]:
                rename(symbol)
            merged[name]["symbols"] += graph["symbols"]
            merged[name]["relationships"] += graph["relationships"]
    for name, graph in merged.items():
        (folder / f"{name}.symbols.json").write_text(json.dumps(graph), encoding="utf-8")
    return bool(merged)


def rename(symbol):
    """Lets a symbol that extends a type of a room extend one of PiuPiuAsync."""
    extension = symbol.get("swiftExtension")
    if extension and extension.get("extendedModule") in ROOMS:
        extension["extendedModule"] = "PiuPiuAsync"


def join_extensions(graph):
    """Makes the members of an extension of a type in another room members of the type itself."""
    types = {
        relation["source"]: relation["target"]
        for relation in graph["relationships"] if relation["kind"] == "extensionTo"
    }
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in types]
    relations = []
    for relation in graph["relationships"]:
        if relation["kind"] == "extensionTo":
            continue
        relation["source"] = types.get(relation["source"], relation["source"])
        relation["target"] = types.get(relation["target"], relation["target"])
        relations.append(relation)
    graph["relationships"] = relations
