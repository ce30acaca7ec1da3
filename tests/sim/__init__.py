"""A simulation of everything around Harbormaster: Discord, the network, the disk, the processes and the people, in one
process and under a simulated clock. A seed decides all of it, and brings it back: `python -m tests.sim --seed 17`.

architecture.md says how it is built. It needs simloom, and so Python 3.12; nothing else here does.
"""
