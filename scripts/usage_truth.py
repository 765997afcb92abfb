#!/usr/bin/env python3
"""Compare `recount usage` with what a corpus generator knows to be true.

usage: usage_truth.py RECOUNT GENERATOR [--size-mb N] [--seeds 1,2,3] [--keep DIR]

GENERATOR is a program that writes sessions below --out and prints the true totals as JSON (gen_corpus.py). Every set of
traps below is made with every seed and counted by day, model and harness; each number must be equal. Some sets are
written again with spaces and another order of keys in the JSON, which must change nothing. Exit 1 when something differs.
"""
import argparse, json, os, subprocess, sys, tempfile

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('recount'); ap.add_argument('generator')
ap.add_argument('--size-mb', type=int, default=24); ap.add_argument('--seeds', default='1,2,3')
A = ap.parse_args()
BIN = os.path.abspath(A.recount)
SETS = [
    ('all traps', []),
    ('plain', ['--plain']),
    ('zst', ['--with', 'zst']),
    ('growing', ['--with', 'growing']),
    ('codexinherit', ['--with', 'codexinherit']),
    ('everything', ['--with', 'zst,growing,codexinherit']),
    ('no forks', ['--without', 'fork,pfork']),
    ('no legacy', ['--without', 'legacy']),
    ('claude', ['--harness', 'claude', '--with', 'growing']),
    ('codex', ['--harness', 'codex', '--with', 'codexinherit,zst']),
    ('pi', ['--harness', 'pi']),
]
# What the generator calls a number, for each harness.
NAMES = {
    'claude': {'inputTokens': 'input', 'cachedInputTokens': 'cache_read', 'cacheWriteTokens': 'cache_creation', 'outputTokens': 'output', 'totalTokens': 'total'},
    'codex': {'inputTokens': 'input_uncached', 'cachedInputTokens': 'cached', 'outputTokens': 'output', 'reasoningTokens': 'reasoning', 'totalTokens': 'total'},
    'pi': {'inputTokens': 'input', 'cachedInputTokens': 'cache_read', 'cacheWriteTokens': 'cache_creation', 'outputTokens': 'output', 'totalTokens': 'total'},
}
IDS = {'claude': 'claude-code', 'codex': 'codex', 'pi': 'pi'}


def stores(out):
    return [x for h, d in (('claude-code', '.claude'), ('codex', '.codex'), ('pi', '.pi/agent')) if os.path.isdir(f'{out}/{d}') for x in ('--store', f'{h}={out}/{d}')]


def usage(out, by, *more):
    env = dict(os.environ, TZ='UTC', RECOUNT_CACHE_DIR=out + '/cache')
    p = subprocess.run([BIN, 'usage', '--by', by, '--json', *stores(out), *more], env=env, capture_output=True, check=True)
    return {r['key']: r for r in json.loads(p.stdout)}


def differences(out, truth, *more):
    bad = []
    for h, t in truth['harnesses'].items():
        only = ('--harness', IDS[h]) + more
        row = usage(out, 'harness', *only).get(IDS[h], {})
        if row.get('responses') != t['responses']:
            bad.append(f"{h} responses {row.get('responses')}, want {t['responses']}")
        for by, want in (('harness', {IDS[h]: t['tokens']}), ('day', t['by_day']), ('model', t['by_model'])):
            got = usage(out, by, *only)
            if set(got) != set(want):
                bad.append(f'{h} by {by}: keys {sorted(set(got) ^ set(want))[:5]}')
            for key, numbers in want.items():
                for ours, theirs in NAMES[h].items():
                    if got.get(key, {}).get(ours) != numbers.get(theirs):
                        bad.append(f'{h} {key} {ours} {got.get(key, {}).get(ours)}, want {numbers.get(theirs)}')
    return bad


def rewrite(out):
    """Spaces everywhere and keys in another order: the same records."""
    for folder, _, files in os.walk(out):
        for f in files:
            path = f'{folder}/{f}'
            if not f.endswith('.jsonl'):
                continue
            lines = open(path, 'rb').read().split(b'\n')
            new = []
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    new.append(line)
                    continue
                turn = lambda v: {k: turn(v[k]) for k in reversed(v)} if isinstance(v, dict) else [turn(x) for x in v] if isinstance(v, list) else v
                # pi and Codex find their first line by its type, wherever that stands in it.
                new.append(json.dumps(turn(record), ensure_ascii=len(new) % 2 == 0, separators=(' , ', ' : ')).encode())
            stat = os.stat(path)
            open(path, 'wb').write(b'\n'.join(new))
            os.utime(path, (stat.st_atime, stat.st_mtime))


failed = 0
for seed in A.seeds.split(','):
    for name, options in SETS:
        with tempfile.TemporaryDirectory() as out:
            p = subprocess.run([sys.executable, A.generator, '--out', out, '--size-mb', str(A.size_mb), '--seed', seed, *options], capture_output=True, check=True)
            truth = json.loads(p.stdout)
            bad = differences(out, truth, '--no-cache')
            if not bad:
                bad = [f'with a new cache: {b}' for b in differences(out, truth)] + [f'with the cache: {b}' for b in differences(out, truth)]
            if name in ('all traps', 'everything'):
                rewrite(out)
                bad += [f'spaces and other order: {b}' for b in differences(out, truth)]
            responses = sum(t['responses'] for t in truth['harnesses'].values())
            print(f"{'FAIL' if bad else 'ok  '} seed {seed:3} {name:14} {responses:6} responses")
            for b in bad[:8]:
                print('    ', b)
            failed += bool(bad)
print(f'{failed} sets differ' if failed else 'all sets are equal to the truth')
sys.exit(bool(failed))
