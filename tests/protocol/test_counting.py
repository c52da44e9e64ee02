from protocol.counting import CountingGroup
from protocol.group import GENERATOR, Group


def test_every_operation_is_counted_and_gives_what_the_inner_group_gives(group: Group) -> None:
    counting = CountingGroup(group)
    P = counting.hash_to_group("card", "goods", 0)
    assert group.hash_to_group("card", "goods", 0) == P
    assert counting.mul(5, P) == group.mul(5, P)
    assert counting.mul_base(5) == group.mul(5, GENERATOR)
    assert counting.add(P, GENERATOR) == group.add(P, GENERATOR)
    assert counting.sub(P, GENERATOR) == group.sub(P, GENERATOR)
    assert counting.decode(bytes(P)) == P
    assert counting.counts == dict.fromkeys(["hash_to_group", "mul", "mul_base", "add", "sub", "decode"], 1)


def test_long_sums_and_lists_are_counted_term_by_term(group: Group) -> None:
    counting = CountingGroup(group)
    points = [group.mul_base(i) for i in range(1, 41)]
    assert counting.msm(range(1, 41), points) == group.mul_base(sum(i * i for i in range(1, 41)))
    assert counting.counts == {"mul": 40, "add": 39}
    counting.counts.clear()
    assert counting.mul_each(3, points) == group.mul_each(3, points)
    assert counting.counts == {"mul": 40}
