"""Shared parts of the benchmarks over HTTP: a ride, servers on loopback, and clients."""
