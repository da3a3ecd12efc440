// SPDX-License-Identifier: Apache-2.0
// Owns the headers that all test programs share, parsed once.
int main() { return 0; }
