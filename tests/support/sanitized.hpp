// This tells whether AddressSanitizer or ThreadSanitizer is in this program:
// ISOFOLD_TEST_SANITIZED. They bring an allocator of their own, which a program must not replace,
// and report a signal before they end the process. g++ says it by a macro, clang by a feature.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ISOFOLD_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ISOFOLD_TEST_SANITIZED 1
#endif
#endif
#ifndef ISOFOLD_TEST_SANITIZED
#define ISOFOLD_TEST_SANITIZED 0
#endif
