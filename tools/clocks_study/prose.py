"""The words of the study around its numbers. What they say of numbers is said of the run that is committed."""

from tools.tree_arity.section import MARKS as TREE_ARITY

HEAD = """# How accurate are synchronised clocks?

A study of every clock synchronisation that Ictus has, judged by known truth. Words are in the
[glossary](../glossary.md).

**What was found**

- In simulated networks the clocks of `ictus` err 8.5 times less than those of the best other algorithm after the same
  time of learning (median over worlds and budgets). They are nowhere worse.
- It is not ten times faster at equal error: about twice.
- On two real ranks of one host it is better only when there is little time, 5 ms. From 20 ms on the counter's steps of
  10 ns decide, and all good algorithms come near to each other.
- Its proven bounds were never violated. The narrow bounds, which assume that both ways of a link are equally long, were
  violated in 45 of 1.1 million checks.
- What the papers say of SKaMPI, Netgauge, JK, HCA, HCA2 and HCA3 was mostly reproduced.

Whether the papers' findings about these algorithms hold on a machine, or on SimGrid's SMPI, is judged by `ictus study
sync-accuracy`, `sync-drift`, `sync-pareto`, `sync-cost` and `sync-scaling` ([answers](papers.md)). This page has what
these do not: all algorithms at equal time in thousands of simulated worlds, and whether proven bounds hold.

All numbers are in data files: [every point of every frontier](../data/clocks-study.csv),
[at equal time](../data/clocks-at-equal-time.csv), [widths of bounds](../data/clocks-bound-widths.csv),
[proven bounds](../data/clocks-proven-bounds.csv), [every algorithm at one setting](../data/clocks-at-one-setting.csv)
and [real ranks at equal time](../data/clocks-equal-time.csv). Page and figures are made of them. One command measures
all of it anew:

    make clocks-study      # about an hour on two idle cores; results in build/clocks-study, so it can be interrupted

The data are of `ictus` before `level_line` joined its estimator and before `exchanges=auto`
([decision 12](../decisions/0012-strips-and-bounds.md)), but for real ranks at equal time and the arity of the tree.

## How it is judged

There are three kinds of worlds:

- **Virtual time.** The algorithms of `ictus-bench`, unchanged, in a world whose clocks and links are drawn from a seed
  (`tool/simulate.cpp`). There are thousands of runs, so that medians mean something.
- **SimGrid's SMPI.** The whole of `ictus-bench` on a simulator that others wrote.
- **Real ranks** of MPICH and Open MPI with clocks of known skew (`skewed`) on one machine of two cores.

An error is that of a rank's global time against the root's at the same instant. Tables show the largest over ranks; the
data have the 95th percentile over ranks too. Waits count from when the last rank had its model. Numbers are medians
over seeds. The seeds, from 1001 on, were not looked at while the algorithms were written.
"""

AIM = """
## At equal time

For each budget of time the setting counts that has the smallest median error among those whose median duration keeps to
the budget. All algorithms that have fit points and exchanges have one grid of them: 10 to 1000 by 10 to 100, back to
back as in the papers. *Best other* is the best of SKaMPI, Netgauge, JK, HCA, HCA2, HCA3 and HCA3O; JK and HCA2 have two
estimators each. Two are left out: `hierarchical`, which is for hosts that share clocks, and `hca3` with our own spread
of its points, which at equal time has fewer exchanges over the same span. Errors are those 5 s later.
"""

RATIOS = """
By how many times our error is smaller than that of the best other, for each budget. The aim was three times (bold); on
asymmetric links, where nobody can see half of the asymmetry, it was not to be worse. *wander*: a clock whose offset and
drift were known exactly when learning ended would not reach the aim either. *tie*: both err by less than 10 ns.
"""

FINDINGS = """
### Where the aim was not reached, and why

- **Three times smaller at equal time** fails where a drift of 1 ppm cannot be told from none yet (5 and 10 ms). All
  algorithms, ours too, then do best to assume none, and lose the same. With two ranks and 5 ms (1,600 exchanges) the
  gain is only beginning: it grows like the root of the exchanges. With wander, from 100 ms on, wander alone is more
  than a third of the best other's error, and no algorithm can predict it.
- **On soft delays** (a sum of four exponentials, which hardly ever takes its least value) it is 1.3 to 2.7 times. The
  quickest exchanges say little there. What is gained is the longer span, and a choice between strip and blocks.
- **Ten times faster at equal error** is not reached. Our error falls with the square of the time, the others' with its
  power of 1.5. So 30 times the accuracy at equal time is only some four times the speed at equal error. Tried: trees of
  arity 1 and 3 (2 was as good or better at 64 ranks), longer and shorter bursts (no difference). Not tried: streams of
  messages that do not wait for answers, which would gather more samples in the same time.
"""

BOUNDS = """
## Bounds

A bound that assumes nothing about links is half a round trip at best, because no ping-pong can tell a detour there
from a detour back. Data from a link with 1 us more one way are the same as from a symmetric link, and the error is
0.5 us. So one number cannot hold on asymmetric links and be close to the error on symmetric ones.

`ictus` has both. By default the bound is proven. With `asymmetry=0`, which states that the shortest ways are equally
long, it is five standard deviations of what chance left open, and an allowance for wander (0.01 ppm per root second
unless told otherwise).
"""

PROVEN = """
The aim was a bound of at most three times the error. It is reached at short budgets. At long ones the allowance for
wander (75 ns after 5 s) is wider than the error on worlds without wander. On worlds without drift all drifts were
rightly taken as none, so errors are far below what the bound still allows for: that there is no drift is likely, not
proven. Violations are in a few runs, where the tails are longer than a normal distribution's; with six standard
deviations the widest bound would be a fifth wider.

Proven bounds (the default), on links whose way up is 0.5 us longer too:
"""

ARITY = f"""
## The arity of the tree

{TREE_ARITY.begin}
{TREE_ARITY.end}
"""

PAPERS = """
## What the papers found

Of the flat platform at 512 ranks with drifts up to 20 ppm:

- *Offset-only methods grow by tens of microseconds.* Reproduced: SKaMPI, Netgauge and HCA3O lose 20 us a second.
- *JK is most accurate and slowest, linear in p.* Reproduced for the time: 37, 299, 598 ms at 64, 512, 1024 ranks. It is
  the best other after 5 s because its points span the whole run, though `mean-rtt` leaves a bias of 0.1 to 0.3 us.
- *HCA lies between.* In time, yes. Its intercepts are measured one after the other at the end, so at 512 ranks the
  first ranks' are 0.15 s old. With few fit points it is the least accurate of all.
- *HCA2's intercept errors grow with log p.* Reproduced: 1.7, 5.9, 5.7 us directly after, at 64, 512, 1024 ranks.
- *HCA3 is at least as good as HCA2.* Reproduced on every row: 0.06, 0.18, 0.29 us directly after.
- *hca3-offset takes well under a millisecond at 512 ranks.* Reproduced: 0.55 ms.
- Short learning is worse than none: 10 fit points in 8 ms make HCA3 err by 300 us after 5 s, where HCA3O errs by
  100 us.
"""

ONE_SETTING = """
## Every algorithm at one setting

The largest error over ranks in that world. Settings are 10 fit points and 10 to 30 exchanges, as the papers' grid goes
at its small end; `ictus` has 50 sweeps of 10 exchanges. [The data](../data/clocks-at-one-setting.csv) have 72 worlds:
64 to 1024 ranks, three platforms, drifts of 0, 1 and 20 ppm, with wander and without.
"""

REAL_RANKS = """
## Real ranks, skewed clocks

`ictus clocks accuracy`, two ranks on two cores. Offsets are within 2 s, drifts within 20 ppm. The truth is computed,
for all skewed clocks read one counter. [The data](../data/clocks-at-one-setting.csv) have 2 to 8 ranks; from 3 on ranks
share cores, and an exchange may take milliseconds.
"""

SIMGRID = """
## SimGrid's SMPI

The same command on simulated platforms, with contention: `ictus clocks accuracy --platform flat -n 512`. The cost of
SMPI grows with the square of the ranks, so the settings are the smallest. Platform flat:
"""

WORLDS = """
## The simulated platforms

Each message takes the latency, an exponential jitter, and one in a hundred twenty times the jitter. Clocks start within
one second of each other, drifts are uniform in plus or minus what a row says; wander is a random walk of the drift.
"""

TAIL = """
## What this study does not tell

- Jitter here is independent from message to message. On real networks it comes in bursts.
- Wander is a random walk. Real oscillators also follow the temperature.
- Messages cost nothing but their way: an algorithm that sends more in the same time is not punished by contention in
  virtual time. SMPI has contention.
"""
