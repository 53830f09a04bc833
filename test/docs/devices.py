#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The snippets for a device, see snippets.py."""
import snippets

snippets.main(device=True)
