// Lab 02 — sync_vs_async. Question: what does asynchrony save, and what does an unsynchronised clock pretend?
//
// A queue lets the host go on while a device works. That overlaps two things, so it can save at most half of
// their sum; and it lets a clock be stopped before anything is done, which looks like any factor one likes.
// Our device is real (own thread, own memory, an in-order queue) and stands in for a framework's back end;
// NumPy, PyTorch and Python run themselves, in processes of their own. One file per subject prepares and
// checks (bodies.h).

#include "bodies.h"

namespace {

using namespace perflab;
using namespace perflab::waiting;

std::vector<AxisValue> counts(std::initializer_list<std::int64_t> list) { return {list.begin(), list.end()}; }
// An odd number: every other one is fitted, first and last among them, and those between are predicted.
const std::vector<AxisValue> lengths = counts({1, 300, 3'000, 30'000, 1'000'000});
// The shared processor is a counter-example, not a sweep.
bool shared_only_at_one_to_one(const Point& point) {
  return std::get<std::int64_t>(value_of(point, "processors")) == 2 ||
         std::get<double>(value_of(point, "host_per_device")) == 1;
}

// In this order, because a lab's time can be spent: first what claims rest on, then what counts alone decide.
PL_LAB("loop")
    .question("How much faster is the article's loop with one wait at the end than with one a step?")
    .axis("n", {.smoke = counts({128}),
                .quick = counts({512}),
                .article = counts({1000}),
                .reproduce = counts({1000})})
    .metrics({"waits_count", "enqueues_count", "pending_count"})
    .variants({"async", "sync"}, "async")
    .faults({"clock stopped after the enqueue: it names a device that has nothing to do, while ours is held "
             "at its last piece",
             "a read-back every step: a value of each product is read inside the loop"})
    .derive(derive_loop)
    .run(loop_body);

PL_LAB("increments")
    .question("What does a wait after each task cost, by the length of the task?")
    .axis("increments_per_task",
          {.smoke = counts({1, 30'000}), .quick = lengths, .article = {}, .reproduce = {}})
    .axis("most_tasks", {.smoke = counts({4'000}),
                         .quick = counts({4'000}),
                         .article = counts({10'000}),
                         .reproduce = counts({4'000})})
    .metrics({"tasks_count", "waits_count", "enqueues_count"})
    .variants({"wait_each", "wait_once", "no_queue"}, "wait_each")
    .derive(derive_increments)
    .run(increments_body);

PL_LAB("host_overlap")
    .question("Does preparing batches on the host hide behind the device's work?")
    .axis("host_per_device", {.smoke = {1.0},
                              .quick = {0.25, 1.0, 4.0},
                              .article = {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0},
                              .reproduce = {0.125, 1.0, 8.0}})
    .axis("processors", {.smoke = counts({2}), .quick = counts({2, 1}), .article = {}, .reproduce = {}})
    .axis("steps",
          {.smoke = counts({4}), .quick = counts({40}), .article = counts({100}), .reproduce = counts({40})})
    .only_if(shared_only_at_one_to_one)
    .metrics({"waits_count"})
    .variants({"sync", "async", "async_read", "host_only", "device_only"}, "sync")
    .derive(derive_overlap)
    .run(overlap_body);

PL_LAB("torch_loop")
    .question("When does PyTorch on the CPU return from the article's loop?")
    .axis("n", {.smoke = counts({64}),
                .quick = counts({512}),
                .article = counts({1000}),
                .reproduce = counts({1000})})
    .metrics({"child_s", "child_submit_s", "child_finish_s"})
    .sweep("torch")
    .derive(derive_torch_loop)
    .run(torch_loop_body);

PL_LAB("frontend")
    .question("Is an operation issued from Python slower than the same one issued from C++?")
    .axis("elements", {.smoke = counts({1}),
                       .quick = counts({1, 65'536}),
                       .article = pow2(0, 22, 2),
                       .reproduce = counts({1, 4'096, 65'536})})
    .axis("op", {.smoke = {"add"}, .quick = {"add"}, .article = {"add", "matmul"}, .reproduce = {"add"}})
    .metrics({"per_operation_ns"})
    .variants({"cpp", "python"}, "cpp")
    .derive(derive_frontend)
    .run(frontend_body);

PL_LAB("python_parallel")
    .question("What do two threads or processes of Python gain, by what they do?")
    .metrics({"child_s", "has_lock_count"})
    .variants({"python_1", "python_2_threads", "python_2_processes", "numpy_1", "numpy_2_threads", "io_1",
               "io_2_threads"},
              "python_1")
    .derive(derive_python_parallel)
    .run(python_parallel_body);

PL_LAB("numpy_loop")
    .question("Where does NumPy's time go in the article's loop: random numbers or products?")
    .axis("n", {.smoke = counts({64}),
                .quick = counts({256}),
                .article = counts({1000}),
                .reproduce = counts({1000})})
    .axis("blas_threads",
          {.smoke = counts({0}), .quick = counts({0}), .article = counts({1, 0}), .reproduce = counts({0})})
    .axis("arms",
          {.smoke = counts({4}), .quick = counts({2}), .article = counts({4}), .reproduce = counts({2})})
    .metrics({"child_s", "rng_s", "matmul_s"})
    .variants({"f64", "f64_philox", "f32", "f32_philox"}, "f64")
    .derive(derive_numpy_loop)
    .run(numpy_loop_body);

PL_LAB("queue")
    .question("Until when does handing a task to a queue take no time?")
    .axis("depth", {.smoke = counts({1, 100}),
                    .quick = counts({1, 10, 100, 1'000, 10'000}),
                    .article = {},
                    .reproduce = counts({1, 1'000, 10'000})})
    .metrics({"pending_count"})
    .variants({"unbounded", "bounded"}, "unbounded")
    .derive(derive_queue)
    .run(queue_body);

PL_LAB("reads")
    .question("Who gets a wrong value when a buffer is read while its device is still writing it?")
    .metrics({"mismatches_count", "waits_count"})
    .variants({"tensor", "pointer", "pointer_after_wait"}, "tensor")
    .derive(derive_reads)
    .run(reads_body);

PL_LAB("drain")
    .question("Which queues does a wait cover?")
    .axis("work_ms",
          {.smoke = counts({2}), .quick = counts({5}), .article = counts({50}), .reproduce = counts({5})})
    .metrics({"pending_other_count", "pending_current_count"})
    .variants({"wait_all", "wait_current"}, "wait_all")
    .derive(derive_drain)
    .run(drain_body);

PL_LAB("memory")
    .question("What does a queue without a bound cost in memory?")
    .axis("batches", {.smoke = counts({10}), .quick = counts({150}), .article = {}, .reproduce = {}})
    .axis("batch_rows", {.smoke = counts({32}),
                         .quick = counts({64}),
                         .article = counts({1'024}),
                         .reproduce = counts({64})})
    .metrics({"held_bytes", "queue_bytes", "longest_queue_count"})
    .variants({"wait_each", "bounded", "unbounded"}, "wait_each")
    .run(memory_body);

}  // namespace
