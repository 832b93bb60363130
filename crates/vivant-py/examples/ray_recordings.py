#!/usr/bin/env python3
"""Labels the blinks of many recordings, or follows the lids through many films, on a Ray cluster.

    python ray_recordings.py recordings/*.csv --out results                     # on this machine, all its cores
    python ray_recordings.py films/*.mp4 --work track --model me.aam --out tracks
    python ray_recordings.py recordings/*.csv --out results --address auto      # on the cluster that this one is in
    python ray_recordings.py recordings/*.csv --out results --here              # without Ray: the same bytes

Each file is a task of its own. Give the same command again to go on with what was interrupted: files whose results
are there are skipped. Files that fail are listed at the end and in failed.json, and the exit status is 1.
"""

import argparse
import sys

from vivant import cluster


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="recordings of eyes, or films")
    parser.add_argument("--out", required=True, help="the folder of the results")
    parser.add_argument("--root", help="results lie under --out as files lie under this folder")
    parser.add_argument("--work", choices=sorted(cluster.WORKS), default="blinks", help="what is done")
    parser.add_argument("--model", help="with --work track: whose eyes, as EyeModel.save writes it")
    parser.add_argument("--map", help="with --work blinks: which column is what, as TOML")
    parser.add_argument("--device", help="with --work blinks: the kind of device, if it is not found")
    parser.add_argument("--address", help="the Ray cluster; by default one is started here")
    parser.add_argument("--cpus", type=int, help="without --address: how many cores to use")
    parser.add_argument("--here", action="store_true", help="in this process, without Ray")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    chosen = {name: getattr(args, name) for name in ("model", "map", "device")}
    options = {name: value for name, value in chosen.items() if value is not None}
    about = {"out": args.out, "root": args.root, "options": options}
    if args.here:
        summary = cluster.run_here(args.files, args.work, **about)
    else:
        import ray

        ray.init(address=args.address, num_cpus=args.cpus, log_to_driver=False)
        summary = cluster.run(args.files, args.work, **about)
        ray.shutdown()
    print(summary)
    return 1 if summary.failed else 0


if __name__ == "__main__":
    sys.exit(main())
