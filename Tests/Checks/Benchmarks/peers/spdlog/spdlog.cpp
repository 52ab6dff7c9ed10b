#include "CSpdlog.h"

#include <memory>
#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

namespace {

using Logger = std::shared_ptr<spdlog::logger>;

Logger &logger_of(void *opaque) { return *static_cast<Logger *>(opaque); }

}  // namespace

void *bench_spdlog_open(const char *path, bool async) {
  try {
    return new Logger(async ? spdlog::basic_logger_mt<spdlog::async_factory>("async", path)
                            : spdlog::basic_logger_mt("sync", path));
  } catch (const spdlog::spdlog_ex &) {
    return nullptr;
  }
}

void bench_spdlog_message(void *logger) { logger_of(logger)->info("checkout started"); }

void bench_spdlog_three_values(void *logger, int64_t id) {
  logger_of(logger)->info("payment sent id={} ok={} peer={}", id, true, "a");
}

void bench_spdlog_close(void *logger) {
  logger_of(logger)->flush();
  spdlog::drop(logger_of(logger)->name());
  delete &logger_of(logger);
}
