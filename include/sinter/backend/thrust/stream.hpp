// SPDX-License-Identifier: Apache-2.0
// Streams: work is queued on the calling thread's stream, in order; nothing waits but waitall() and reading a value.
#pragma once
#include <mutex>
#include <vector>

#include "../../core/per_thread.hpp"
#include "runtime.hpp"

namespace sinter {
namespace gpu {
inline namespace SINTER_GPU_SYSTEM {

// Memory of a stream for what one piece of its work leaves to the next. What was too small is kept, as the stream is: graphs that were captured with
// it go on using it. It grows to twice as much at least, so that all of them together are no more than twice the last.
class scratch_memory {
 public:
  void* at_least(std::size_t bytes, runtime::stream s) {
    if (bytes > bytes_) {
      std::size_t const more = bytes > 2 * bytes_ ? bytes : 2 * bytes_;
      all_.push_back(runtime::allocate(more, s));
      bytes_ = more;
    }
    return all_.empty() ? nullptr : all_.back();
  }

 private:
  std::vector<void*> all_;
  std::size_t bytes_ = 0;
};

// A queue of work, and what compiled networks keep for it: a workspace each. States live as long as the program, so that memory may be
// given back to the stream that it came from at any time.
class stream_state {
 public:
  runtime::stream handle{};
  stream_state* next = nullptr;  // in the list of those that nobody uses

  stream_state() : handle(runtime::make_stream()) {}
  // This stream's object of type W; made with the first call.
  template <class W> W& workspace() { return objects_.get<W>(); }

 private:
  sinter::detail::own_objects objects_;
};

class stream_pool {
 public:
  static stream_state* take() {
    stream_pool& p = all();
    std::lock_guard const hold(p.lock_);
    if (!p.free_) return new stream_state;
    stream_state* const s = p.free_;
    p.free_ = s->next;
    return s;
  }
  static void give_back(stream_state* s) {
    stream_pool& p = all();
    std::lock_guard const hold(p.lock_);
    s->next = p.free_;
    p.free_ = s;
  }

 private:
  std::mutex lock_;
  stream_state* free_ = nullptr;
  static stream_pool& all() {  // never destroyed: threads that end late give theirs back
    static stream_pool* const p = new stream_pool;
    return *p;
  }
};

// The stream of this thread: one of its own, unless on_stream names another.
struct thread_stream {
  stream_state *own = nullptr, *named = nullptr;
  ~thread_stream() {
    if (own) stream_pool::give_back(own);
  }
};
inline thread_local thread_stream of_thread;
inline stream_state& current() {
  if (of_thread.named) return *of_thread.named;
  if (!of_thread.own) of_thread.own = stream_pool::take();
  return *of_thread.own;
}

}  // namespace SINTER_GPU_SYSTEM
}  // namespace gpu

// A queue of work on the device, beside those that threads have anyway. One thread uses it at a time; what one stream makes another may
// use after wait().
//   sinter::stream copies;
//   { sinter::on_stream here(copies);  y = fast(x); }
//   copies.wait();
inline namespace SINTER_GPU_SYSTEM {
class stream {
 public:
  stream() : state_(gpu::stream_pool::take()) {}
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  ~stream() { gpu::stream_pool::give_back(state_); }  // what is queued still runs, in order
  // Until everything that was queued is done. Throws device_error.
  void wait() { gpu::runtime::wait(state_->handle); }

 private:
  friend class on_stream;
  gpu::stream_state* state_;
};
// While it lives, this thread's calls go to that stream.
class on_stream {
 public:
  explicit on_stream(stream& s) : before_(gpu::of_thread.named) { gpu::of_thread.named = s.state_; }
  on_stream(on_stream const&) = delete;
  on_stream& operator=(on_stream const&) = delete;
  ~on_stream() { gpu::of_thread.named = before_; }

 private:
  gpu::stream_state* before_;
};
}  // namespace SINTER_GPU_SYSTEM

}  // namespace sinter
