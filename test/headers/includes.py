#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every name of the standard library that a public header uses is declared in a header of the library that it includes, or that sinter's
headers include for it: another standard library may include less by itself. Every header of sinter that is named between < and > is there,
also where a string is a program that includes it.

    includes.py INCLUDE       checks the headers below INCLUDE/sinter
    includes.py --self-test
"""
import pathlib
import re
import sys
import tempfile

# Where a name may come from; NAMES says `header: names`, a name may stand behind several headers.
NAMES = """
algorithm: adjacent_find all_of any_of binary_search clamp copy copy_n count count_if equal fill fill_n find find_if lexicographical_compare
  lower_bound max max_element min min_element mismatch none_of nth_element remove replace reverse rotate set_difference sort unique
any: any any_cast
array: array begin end get size tuple_element_t tuple_size
atomic: atomic atomic_flag atomic_ref atomic_signal_fence memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release memory_order_seq_cst
bit: bit_cast countl_zero endian
charconv: chars_format from_chars to_chars
chrono: chrono
cmath: abs ceil floor isfinite isinf isnan lround nan nearbyint nextafter pow round sqrt trunc
compare: strong_ordering
concepts: convertible_to floating_point integral invocable same_as
cstddef: byte max_align_t nullptr_t ptrdiff_t size_t
cstdint: int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintptr_t
cstdio: FILE fclose ferror fflush fopen fprintf fread fwrite remove rename size_t snprintf
cstdlib: abs getenv size_t strtoul
cstring: memcmp memcpy memmove memset size_t
deque: begin deque end erase_if size
exception: exception terminate
functional: function greater less less_equal
initializer_list: begin end initializer_list
ios: ios_base
iostream: cout
iterator: begin end inserter random_access_iterator_tag size
limits: numeric_limits
map: begin end erase_if map size
memory: addressof allocator destroy_n make_shared make_unique shared_ptr static_pointer_cast uninitialized_value_construct_n unique_ptr
mutex: call_once lock_guard mutex once_flag unique_lock
new: align_val_t bad_alloc bad_array_new_length launder nothrow
numeric: gcd
optional: nullopt optional
ostream: flush ostream
queue: priority_queue
set: begin end erase_if set size
span: as_bytes begin end size span
stdexcept: length_error runtime_error
string: begin end erase size stoi string to_string
string_view: begin end size string_view
system_error: errc generic_category
thread: this_thread thread
tuple: apply get make_tuple tie tuple tuple_cat tuple_element_t tuple_size tuple_size_v
type_traits: conditional_t decay_t integral_constant invoke_result_t is_arithmetic_v is_base_of_v is_class_v is_const_v is_constant_evaluated
  is_constructible_v is_convertible_v is_default_constructible_v is_empty_v is_final_v is_floating_point_v is_integral_v is_invocable_v
  is_lvalue_reference_v is_reference_v is_same_v is_trivially_copyable_v is_unsigned_v is_void_v make_unsigned_t remove_const_t remove_cvref_t
  remove_reference_t type_identity bool_constant
unordered_map: unordered_map
utility: as_const declval exchange forward get index_sequence index_sequence_for integer_sequence make_index_sequence
  make_integer_sequence move pair swap tuple_element_t tuple_size tuple_size_v
variant: get get_if variant visit
vector: begin end erase erase_if size vector
"""
# What one of these includes in every standard library, as the standard says.
WITH = {"algorithm": ["initializer_list"], "iostream": ["ios", "ostream"], "map": ["compare", "initializer_list"], "optional": ["compare"],
        "ostream": ["ios"], "set": ["compare", "initializer_list"], "span": ["initializer_list"], "string": ["compare", "initializer_list"],
        "tuple": ["compare"], "utility": ["compare", "initializer_list"], "variant": ["compare"], "vector": ["compare", "initializer_list"]}


def homes():
    """name: the headers that declare it"""
    of, header = {}, None
    for word in NAMES.split():
        if word.endswith(":"):
            header = word[:-1]
        else:
            of.setdefault(word, set()).add(header)
    return of


def code_of(path):
    text = re.sub(r'R"\((.*?)\)"|"(?:[^"\\\n]|\\.)*"', '""', path.read_text(), flags=re.S)
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def check(include):
    """Sentences about what is not included."""
    own, quoted, used, wrong = {}, {}, {}, []
    for path in sorted(pathlib.Path(include, "sinter").rglob("*.hpp")):
        text = path.read_text()
        path = path.resolve()
        own[path] = set(re.findall(r"^\s*#\s*include <([a-z_]+)>", text, re.M))
        quoted[path] = {(path.parent / name).resolve() for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)}
        quoted[path] |= {pathlib.Path(include, name).resolve() for name in re.findall(r"^\s*#\s*include <(sinter/[^>]+)>", text, re.M)}
        used[path] = set(re.findall(r"\bstd::(\w+)", code_of(path)))
        wrong += [f"{path.name} names <{name}>, and there is no such header"
                  for name in re.findall(r"<(sinter/[a-z0-9_/]+\.hpp)>", text) if not pathlib.Path(include, name).is_file()]
    of = homes()
    for path in own:
        found, rest = set(), [path]
        reached = {path}
        while rest:
            at = rest.pop()
            found |= own[at]
            rest += [other for other in quoted[at] - reached if other in own]
            reached |= quoted[at]
        for header in list(found):
            found.update(WITH.get(header, []))
        for name in sorted(used[path]):
            where = path.relative_to(pathlib.Path(include).resolve())
            if name not in of:
                wrong.append(f"{where} uses std::{name}; {pathlib.Path(__file__).name} does not say where that is from")
            elif not of[name] & found:
                wrong.append(f"{where} uses std::{name} and includes no <{'> or <'.join(sorted(of[name]))}>")
    return len(own), wrong


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder, "sinter", "core")
        room.mkdir(parents=True)
        (room / "a.hpp").write_text('#include <vector>\ninline std::vector<int> a;  // std::map\ninline char const* s = "std::set";\n'
                                  'inline char const* t = "#include <sinter/core/b.hpp>\\n#include <sinter/core/d.hpp>";\n')
        (room / "b.hpp").write_text('#include "a.hpp"\ninline std::vector<int> b;\ninline std::string c;\ninline std::initializer_list<int> d;\n')
        (room / "c.hpp").write_text("inline std::nowhere c;\n")
        count, wrong = check(folder)
    right = count == 3 and len(wrong) == 3 and "a.hpp names <sinter/core/d.hpp>" in wrong[0] and \
        "b.hpp uses std::string and includes no <string>" in wrong[1] and "std::nowhere" in wrong[2]
    return 0 if right else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    count, wrong = check(sys.argv[1])
    print(*wrong, f"{count} headers, {len(wrong)} names that are wrong or not included", sep="\n")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
