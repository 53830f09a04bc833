// SPDX-License-Identifier: Apache-2.0
// sinter::sinter alone brings no other component along.
#if defined(SINTER_COMPILED) || defined(SINTER_CUDNN) || defined(THRUST_DEVICE_SYSTEM)
#error "sinter::sinter has what belongs to sinter::compiled, sinter::cudnn or sinter::thrust"
#endif
