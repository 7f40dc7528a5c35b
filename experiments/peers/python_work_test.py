"""The same amount of work whatever the number of threads, checked, in every mode that needs no library."""

import unittest

import python_work as work


class Parts(unittest.TestCase):
    def test_the_wanted_sum_is_the_loops(self):
        for count in (0, 1, 6, 7, 8, 700, 12345):
            self.assertEqual(work.loop_result(count), work.loop(0, count))

    def test_shares_cover_the_work_once(self):
        for count in (1, 2, 7, 40):
            for parts in (1, 2, 3):
                indices = [i for first, last in work.shares(count, parts) for i in range(first, last)]
                self.assertEqual(indices, list(range(count)))


class Threads(unittest.TestCase):
    def test_every_mode_does_the_whole_work(self):
        for mode in ("python", "processes", "io"):
            for threads in (1, 2, 3):
                answer = work.python_threads(str(threads), mode=mode, count="7")
                self.assertIs(answer["correct"], True, (mode, threads))
                self.assertGreater(answer["seconds"], 0)
                self.assertEqual(answer["numbers"]["count"], 7)
                self.assertEqual(answer["numbers"]["checksum"], work.loop_result(7) if mode != "io" else 7)

    def test_workers_are_started_once(self):
        before = work.workers_for(2)
        work.python_threads("2", mode="processes", count="100")
        self.assertEqual([worker.process.pid for worker in before],
                         [worker.process.pid for worker in work.workers_for(2)])

    def test_work_that_goes_wrong_is_told(self):
        work.MODES["lazy"] = (lambda threads, count: (1.0, count - 1, count), 4)
        self.addCleanup(work.MODES.pop, "lazy")
        self.assertIs(work.python_threads("2", mode="lazy")["correct"], False)

    def test_a_failing_thread_is_an_error(self):
        with self.assertRaises(ZeroDivisionError):
            work.time_threads([lambda: 1, lambda: 1 // 0])

    def test_a_worker_that_is_gone_is_an_error(self):
        worker = work.Worker()
        worker.process.stdin.close()
        with self.assertRaisesRegex(RuntimeError, "ended with code 0"):
            worker.hear()
        worker.process.stdout.close()

    def test_refuses_what_it_cannot_do(self):
        for settings in ({"threads": "0"}, {"threads": "3", "count": "2"}, {"threads": "1", "mode": "magic"}, {"threads": "x"}):
            with self.assertRaises(ValueError):
                work.python_threads(**settings)


def tearDownModule():
    work.stop_workers()
    for worker in work.workers:
        worker.process.stdout.close()
    work.workers.clear()


if __name__ == "__main__":
    unittest.main()
