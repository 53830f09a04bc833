// SPDX-License-Identifier: Apache-2.0
// SINTER_SANITIZED: whether a sanitizer watches memory or threads. A program takes 5 to 50 times as long then, so that tests of many values
// or many types take fewer of them; all of them are in the builds without, for some tests only where all is tested.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINTER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINTER_SANITIZED 1
#endif
#endif
#ifndef SINTER_SANITIZED
#define SINTER_SANITIZED 0
#endif
