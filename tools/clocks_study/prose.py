"""The words of the study around its tables. What they say of numbers is said of the run that is committed."""

from tools.tree_arity.section import MARKS as TREE_ARITY

HEAD = """# How accurate are synchronised clocks?

The words of this page are in the [glossary](glossary.md).

A study of every clock synchronisation that Ictus has, judged by known truth. All tables and figures are written by one
command (Ictus {version}); the text around them is by hand:

    make clocks-study      # about an hour on two idle cores; results in build/clocks-study, so it can be interrupted

Three kinds of worlds:

- **Virtual time.** The algorithms of `ictus-bench`, unchanged, in a world whose clocks and links are drawn from a seed
  (`tool/simulate.cpp`). Thousands of runs, so that medians mean something. All of *The aim* below, and the large table.
- **SimGrid's SMPI.** The whole of `ictus-bench` on a simulator that others wrote.
- **Real ranks** of MPICH and Open MPI with clocks of known skew (`skewed`) on one machine of two cores.

Errors are those of a rank's global time against the root's at the same instant. *max* is the largest over ranks, *p95*
the 95th percentile over ranks; waits count from when the last rank had its model. Medians over seeds; the seeds (from
1001 on) were not looked at while the algorithms were written. Raw data: [clocks-study.csv](clocks-study.csv).

## The simulated platforms

Each message takes the latency, an exponential jitter, and one in a hundred twenty times the jitter. Clocks start within
one second of each other, drifts are uniform in plus or minus what a row says; wander is a random walk of the drift.
"""

AIM = """
## The aim

At equal time spent: for each budget the setting with the smallest median error among those whose median duration
keeps to it, over one grid of fit points and exchanges for all algorithms that have them (10 to 1000 by 10 to 100,
back to back as in the papers). *Best other* is the best of SKaMPI, Netgauge, JK, HCA, HCA2, HCA3 and HCA3O, JK and
HCA2 with two estimators each. *Times faster* compares the time of that best other with the shortest of `ictus` that
errs no more. Left out are hierarchical, which is for hosts that share clocks, and hca3 with our own spread of its
points, which at equal time has fewer exchanges over the same span. *Limit by wander* is the error of a clock whose
offset and drift were known exactly when learning ended.
"""

BOUNDS = """
### Bounds

A bound that assumes nothing about links is half a round trip at best, because no ping-pong can tell a detour there
from a detour back: data from a link with 1 us more one way are the same as from a symmetric link, and the error is
0.5 us. So one number cannot hold on asymmetric links and be close to the error on symmetric ones. `ictus` has both:
by default the bound is proven; with `asymmetry=0`, which states that the shortest ways are equally long, it is five
standard deviations of what chance left open, and an allowance for wander (0.01 ppm per root second unless told
otherwise). The table is for the latter: bound (median over ranks and seeds) over p95 of the errors (over ranks and
seeds), from the narrowest to the widest setting. Violations are counted over all settings, seeds, ranks and waits.
"""

PROVEN = """
Without a stated asymmetry (the default), on links whose way up is 0.5 us longer too:
"""

ARITY = f"""
## The arity of the tree

{TREE_ARITY.begin}
{TREE_ARITY.end}
"""

LARGE = """
## Every algorithm at one setting

One seed each. 10 fit points, 10 to 30 exchanges, as the papers' grid goes at its small end; `ictus` with 50 sweeps of
10 exchanges. Violations are summed over the four waits.
"""

REAL_RANKS = """
## Real ranks, skewed clocks

`ictus clocks accuracy`, 2 to 8 ranks on two cores: from 3 on ranks share cores, and an exchange may take
milliseconds. Offsets within 2 s, drifts within 20 ppm. The truth is computed, for all skewed clocks read one counter.
"""

SIMGRID = """
## SimGrid's SMPI

The same command on simulated platforms, with contention: `ictus clocks accuracy --platform flat -n 512`. SMPI's cost
grows with the square of the ranks, so the settings are the smallest.
"""

TAIL = """
## What this study does not tell

- Jitter here is independent from message to message. On real networks it comes in bursts.
- Wander is a random walk. Real oscillators also follow the temperature.
- Messages cost nothing but their way: an algorithm that sends more in the same time is not punished by contention in
  virtual time; SMPI's rows have it.
"""

FINDINGS = """
### Where the aim was not reached, and why

- **Three times smaller at equal time** fails where a drift of 1 ppm cannot be told from none yet (5 and 10 ms):
  all algorithms, ours too, then do best to assume none, and lose the same. With two ranks and 5 ms (1,600
  exchanges) the gain is only beginning: it grows like the root of the exchanges. With wander, from 100 ms on,
  wander alone is more than a third of the best other's error, which no algorithm can predict.
- **On soft delays** (a sum of four exponentials, which hardly ever takes its least value) 1.3 to 2.7 times: the
  quickest exchanges say little there; what is gained is the longer span, and a choice between strip and blocks.
- **Ten times faster at equal error** is not reached. Our error falls with the square of the time, the others'
  with its power of 1.5, so 30 times the accuracy at equal time is only some four times the speed at equal error.
  Tried: trees of arity 1 and 3 (2 was as good or better at 64 ranks), longer and shorter bursts (no difference).
  Not tried: streams of messages that do not wait for answers, which would gather more samples in the same time.
- **Bounds three times the error**: reached at short budgets. At long ones the allowance for wander (75 ns after 5
  s) is wider than the error on worlds without wander. On worlds without drift all drifts were rightly taken as
  none, so errors are far below what the bound still allows for: that there is no drift is likely, not proven. The
  narrow bound is five standard deviations, so it is violated now and then (45 of 1.1 million checks, in a few
  runs) where the tails are longer than a normal distribution's; with six the widest would be a fifth wider.
  Proven bounds were never violated.

## What the papers found

Of the flat platform at 512 ranks with drifts up to 20 ppm, and the table below:

- *Offset-only methods grow by tens of microseconds.* Reproduced: SKaMPI, Netgauge and HCA3O lose 20 us a second.
- *JK is most accurate and slowest, linear in p.* Reproduced for the time (37, 299, 598 ms at 64, 512, 1024
  ranks); it is the best other after 5 s because its points span the whole run, though `mean-rtt` leaves a bias of
  0.1 to 0.3 us.
- *HCA lies between.* In time, yes. Its intercepts are measured one after the other at the end, so at 512 ranks
  the first ranks' are 0.15 s old; with few fit points it is the least accurate of all.
- *HCA2's intercept errors grow with log p.* Reproduced: 1.7, 5.9, 5.7 us directly after, at 64, 512, 1024 ranks.
- *HCA3 is at least as good as HCA2.* Reproduced on every row: 0.06, 0.18, 0.29 us directly after.
- *hca3-offset takes well under a millisecond at 512 ranks.* Reproduced: 0.55 ms.
- Short learning is worse than none: 10 fit points in 8 ms make HCA3 err by 300 us after 5 s where HCA3O errs by
  100 us. """
