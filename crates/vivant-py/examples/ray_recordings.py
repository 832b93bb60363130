#!/usr/bin/env python3
"""Labels the blinks of many recordings, or tracks the lids in many films, on a Ray cluster.

        python ray_recordings.py recordings/*.csv --out results                     # on all cores of this machine
    python ray_recordings.py films/*.mp4 --work track --model me.aam --out tracks
        python ray_recordings.py recordings/*.csv --out results --address auto      # on the cluster of this machine
    python ray_recordings.py recordings/*.csv --out results --here              # without Ray: the same bytes

Each file is a separate task. Run the same command again to resume an interrupted run: files with existing results
are skipped. Files that fail are listed at the end and in failed.json, and the exit status is 1.
"""

import argparse
import sys

from vivant import cluster


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="eye recordings, or films")
    parser.add_argument("--out", required=True, help="folder for the results")
    parser.add_argument("--root", help="top folder of the files; results have the same relative paths under --out")
    parser.add_argument("--work", choices=sorted(cluster.WORKS), default="blinks", help="the task for each file")
    parser.add_argument("--model", help="with --work track: the eye model, written by EyeModel.save")
    parser.add_argument("--map", help="with --work blinks: the map of columns, as TOML")
    parser.add_argument("--device", help="with --work blinks: the device, if it is not recognised")
    parser.add_argument("--address", help="address of the Ray cluster; by default one is started on this machine")
    parser.add_argument("--cpus", type=int, help="without --address: number of cores to use")
    parser.add_argument("--here", action="store_true", help="run in this process, without Ray")
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
