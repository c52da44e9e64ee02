"""The node: everything that touches the network, the disk and the clock."""
