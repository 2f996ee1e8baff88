//go:build !purego

#include "textflag.h"

// Both functions below write column j of src, as many entries as a vector has
// lanes, to dst + j·ldd, for j < k. Rows that src lacks repeat its last. They
// work on as many columns at a time as there are lanes; the last group ends at
// column k and may do some columns twice, so k must be at least the lanes.
//
//	R8…R15   the rows of src
//	SI       column under work
//	DI       where it goes in dst
//	BX       number of rows, in STEP only
//	CX       k − lanes
//	DX       bytes between rows of src, then of dst

#define STEP(i, p, q) \
	XORL AX, AX; \
	CMPQ BX, $i; \
	CMOVQGT DX, AX; \
	LEAQ (p)(AX*1), q

// DESTINATION sets DI to dst + SI·ldd, with ldd in bytes in DX.
#define DESTINATION \
	MOVQ SI, DI; \
	IMULQ DX, DI; \
	ADDQ dst_base+48(FP), DI

// func transposeAVX512(k int, src []float64, lds, rows int, dst []float64, ldd int)
TEXT ·transposeAVX512(SB), NOSPLIT, $0-80
	MOVQ src_base+8(FP), R8
	MOVQ lds+32(FP), DX
	SHLQ $3, DX
	MOVQ rows+40(FP), BX
	STEP(1, R8, R9)
	STEP(2, R9, R10)
	STEP(3, R10, R11)
	STEP(4, R11, R12)
	STEP(5, R12, R13)
	STEP(6, R13, R14)
	STEP(7, R14, R15)
	MOVQ ldd+72(FP), DX
	SHLQ $3, DX
	MOVQ k+0(FP), CX
	SUBQ $8, CX
	XORL SI, SI

eight:
	DESTINATION
	VMOVUPD (R8)(SI*8), Z0
	VMOVUPD (R9)(SI*8), Z1
	VMOVUPD (R10)(SI*8), Z2
	VMOVUPD (R11)(SI*8), Z3
	VMOVUPD (R12)(SI*8), Z4
	VMOVUPD (R13)(SI*8), Z5
	VMOVUPD (R14)(SI*8), Z6
	VMOVUPD (R15)(SI*8), Z7

	// Pairs of rows: even columns in Z8, Z10, Z12, Z14, odd ones in the others.
	VUNPCKLPD Z1, Z0, Z8
	VUNPCKHPD Z1, Z0, Z9
	VUNPCKLPD Z3, Z2, Z10
	VUNPCKHPD Z3, Z2, Z11
	VUNPCKLPD Z5, Z4, Z12
	VUNPCKHPD Z5, Z4, Z13
	VUNPCKLPD Z7, Z6, Z14
	VUNPCKHPD Z7, Z6, Z15

	// Fours of rows: columns 0 and 4, 2 and 6, 1 and 5, 3 and 7.
	VSHUFF64X2 $0x88, Z10, Z8, Z0
	VSHUFF64X2 $0x88, Z14, Z12, Z1
	VSHUFF64X2 $0xdd, Z10, Z8, Z2
	VSHUFF64X2 $0xdd, Z14, Z12, Z3
	VSHUFF64X2 $0x88, Z11, Z9, Z4
	VSHUFF64X2 $0x88, Z15, Z13, Z5
	VSHUFF64X2 $0xdd, Z11, Z9, Z6
	VSHUFF64X2 $0xdd, Z15, Z13, Z7

	// All rows, one column each.
	VSHUFF64X2 $0x88, Z1, Z0, Z8
	VSHUFF64X2 $0xdd, Z1, Z0, Z12
	VSHUFF64X2 $0x88, Z3, Z2, Z10
	VSHUFF64X2 $0xdd, Z3, Z2, Z14
	VSHUFF64X2 $0x88, Z5, Z4, Z9
	VSHUFF64X2 $0xdd, Z5, Z4, Z13
	VSHUFF64X2 $0x88, Z7, Z6, Z11
	VSHUFF64X2 $0xdd, Z7, Z6, Z15

	VMOVUPD Z8, (DI)
	VMOVUPD Z9, (DI)(DX*1)
	LEAQ    (DI)(DX*2), DI
	VMOVUPD Z10, (DI)
	VMOVUPD Z11, (DI)(DX*1)
	LEAQ    (DI)(DX*2), DI
	VMOVUPD Z12, (DI)
	VMOVUPD Z13, (DI)(DX*1)
	LEAQ    (DI)(DX*2), DI
	VMOVUPD Z14, (DI)
	VMOVUPD Z15, (DI)(DX*1)

	CMPQ    SI, CX
	JEQ     done
	ADDQ    $8, SI
	CMPQ    SI, CX
	CMOVQGT CX, SI
	JMP     eight

done:
	VZEROUPPER
	RET

// func transposeAVX2(k int, src []float64, lds, rows int, dst []float64, ldd int)
TEXT ·transposeAVX2(SB), NOSPLIT, $0-80
	MOVQ src_base+8(FP), R8
	MOVQ lds+32(FP), DX
	SHLQ $3, DX
	MOVQ rows+40(FP), BX
	STEP(1, R8, R9)
	STEP(2, R9, R10)
	STEP(3, R10, R11)
	MOVQ ldd+72(FP), DX
	SHLQ $3, DX
	MOVQ k+0(FP), CX
	SUBQ $4, CX
	XORL SI, SI

four:
	DESTINATION
	VMOVUPD (R8)(SI*8), Y0
	VMOVUPD (R9)(SI*8), Y1
	VMOVUPD (R10)(SI*8), Y2
	VMOVUPD (R11)(SI*8), Y3

	// Pairs of rows: even columns in Y4, Y6, odd ones in Y5, Y7.
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7

	// All rows, one column each.
	VPERM2F128 $0x20, Y6, Y4, Y0
	VPERM2F128 $0x20, Y7, Y5, Y1
	VPERM2F128 $0x31, Y6, Y4, Y2
	VPERM2F128 $0x31, Y7, Y5, Y3

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, (DI)(DX*1)
	LEAQ    (DI)(DX*2), DI
	VMOVUPD Y2, (DI)
	VMOVUPD Y3, (DI)(DX*1)

	CMPQ    SI, CX
	JEQ     done
	ADDQ    $4, SI
	CMPQ    SI, CX
	CMOVQGT CX, SI
	JMP     four

done:
	VZEROUPPER
	RET
