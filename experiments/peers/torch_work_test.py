"""PyTorch's works check themselves, and their checks can fail."""

import unittest
from unittest import mock

import torch

import torch_work as work


class Loop(unittest.TestCase):
    def test_submitted_comes_before_finished(self):
        answer = work.torch_loop(n="40", rounds="3")
        self.assertIs(answer["correct"], True)
        self.assertLess(0, answer["numbers"]["submit_s"])
        self.assertEqual(answer["seconds"], answer["numbers"]["finish_s"])
        self.assertEqual(answer["numbers"]["checksum"], work.torch_loop(n="40", rounds="3")["numbers"]["checksum"])

    def test_a_wrong_product_and_a_wrong_distribution_are_found(self):
        right = torch.mm
        with mock.patch.object(work.torch, "mm", lambda a, b: right(a, b) * 1.01):
            self.assertIs(work.torch_loop(n="40", rounds="1")["correct"], False)
        with mock.patch.object(work.torch, "randn", lambda n, m, device: torch.rand(n, m)):
            self.assertIs(work.torch_loop(n="40", rounds="1")["correct"], False)


class Operations(unittest.TestCase):
    def setUp(self):
        work.operation.cache_clear()
        self.addCleanup(work.operation.cache_clear)

    def test_the_results_are_the_exact_ones(self):
        self.assertEqual(work.torch_ops(n="16", op="add", count="2")["numbers"]["checksum"],
                         sum(i % 7 + i % 5 for i in range(16)))
        a, b = [i % 7 for i in range(16)], [i % 5 for i in range(16)]
        product = sum(a[4 * i + k] * b[4 * k + j] for i in range(4) for j in range(4) for k in range(4))
        answer = work.torch_ops(n="16", op="matmul", count="3")
        self.assertEqual(answer["numbers"]["checksum"], product)
        self.assertIs(answer["correct"], True)
        self.assertEqual(answer["numbers"]["per_op_s"], answer["seconds"] / 3)

    def test_a_wrong_result_is_found(self):
        for name in ("add", "matmul"):
            right = getattr(torch, name)
            with mock.patch.object(work.torch, name, lambda a, b, right=right, out=None: right(a, b) + 1):
                self.assertIs(work.torch_ops(n="16", op=name, count="1")["correct"], False)

    def test_refuses_what_it_cannot_do(self):
        for settings in ({"n": "0", "op": "add"}, {"n": "4", "op": "mul"}, {"n": "5", "op": "matmul"}):
            with self.assertRaises(ValueError):
                work.torch_ops(**settings, count="1")
        with self.assertRaises(ValueError):
            work.torch_ops(n="1", op="add", count="0")


if __name__ == "__main__":
    unittest.main()
