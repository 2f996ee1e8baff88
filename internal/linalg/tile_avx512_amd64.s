//go:build !purego

#include "textflag.h"

// The tile of AVX-512: 8 rows by 3 vectors of 8 columns. Of the 32 vector
// registers 24 hold sums, 3 the row of b, and one the entry of a under work.
// One step along k is 24 fused multiply-adds on two ports, 12 cycles, beside
// 11 loads, 5.5 cycles: the loads hide, whatever the strides of a are.
//
//	Z0…Z23   sums, row by row: row i has Z(3i), Z(3i+1), Z(3i+2)
//	Z24…Z26  one row of b
//	Z27      one entry of a, eight times
//	K1       the columns that exist in the last vector of a row
//	R8…R15   the eight rows of a in the loop, of c before and after it
//	AX       offset into the rows of a
//	DX       bytes from a[i,k] to a[i,k+1]
//	SI, DI   row of b, bytes to the next one
//	CX       steps to go
//
// Fewer columns take the loops of 2 vectors or 1, and the mask. Fewer rows take
// the same loop: the missing ones repeat the last row there is, from a and into
// c, and so write what it has written.

// STEP sets q to the row after p, or to p if there are no more than i rows.
// BX has the number of rows, DX the bytes between two.
#define STEP(i, p, q) \
	XORL AX, AX; \
	CMPQ BX, $i; \
	CMOVQGT DX, AX; \
	LEAQ (p)(AX*1), q

// ROWS sets R8…R15 to the rows that begin at R8 and are DX elements apart.
#define ROWS \
	SHLQ $3, DX; \
	STEP(1, R8, R9); \
	STEP(2, R9, R10); \
	STEP(3, R10, R11); \
	STEP(4, R11, R12); \
	STEP(5, R12, R13); \
	STEP(6, R13, R14); \
	STEP(7, R14, R15)

#define ROWS_OF_A \
	MOVQ a_base+8(FP), R8; \
	MOVQ rsa+32(FP), DX; \
	ROWS; \
	MOVQ csa+40(FP), DX; \
	SHLQ $3, DX; \
	XORL AX, AX

#define ROWS_OF_C \
	MOVQ c_base+80(FP), R8; \
	MOVQ ldc+104(FP), DX; \
	ROWS

// What a tile does to each of its rows, for 3, 2 and 1 vectors.
#define ZERO3(p, u, v, w) VPXORQ u, u, u; VPXORQ v, v, v; VPXORQ w, w, w
#define ZERO2(p, u, v, w) VPXORQ u, u, u; VPXORQ v, v, v
#define ZERO1(p, u, v, w) VPXORQ u, u, u

#define LOAD3(p, u, v, w) VMOVUPD (p), u; VMOVUPD 64(p), v; VMOVUPD.Z 128(p), K1, w
#define LOAD2(p, u, v, w) VMOVUPD (p), u; VMOVUPD.Z 64(p), K1, v
#define LOAD1(p, u, v, w) VMOVUPD.Z (p), K1, u

#define STORE3(p, u, v, w) VMOVUPD u, (p); VMOVUPD v, 64(p); VMOVUPD w, K1, 128(p)
#define STORE2(p, u, v, w) VMOVUPD u, (p); VMOVUPD v, K1, 64(p)
#define STORE1(p, u, v, w) VMOVUPD u, K1, (p)

#define ADD3(p, u, v, w) \
	VBROADCASTSD (p)(AX*1), Z27; \
	VFMADD231PD Z24, Z27, u; \
	VFMADD231PD Z25, Z27, v; \
	VFMADD231PD Z26, Z27, w

#define ADD2(p, u, v, w) \
	VBROADCASTSD (p)(AX*1), Z27; \
	VFMADD231PD Z24, Z27, u; \
	VFMADD231PD Z25, Z27, v

#define ADD1(p, u, v, w) \
	VBROADCASTSD (p)(AX*1), Z27; \
	VFMADD231PD Z24, Z27, u

// FETCH3 brings the same row of the tile below into the cache while this tile
// is at work. DX has the bytes between rows of c.
#define FETCH3(p, u, v, w) \
	PREFETCHT0 (p)(DX*8); \
	PREFETCHT0 64(p)(DX*8); \
	PREFETCHT0 128(p)(DX*8); \
	PREFETCHT0 184(p)(DX*8)

#define EACH_ROW(do) \
	do(R8, Z0, Z1, Z2); \
	do(R9, Z3, Z4, Z5); \
	do(R10, Z6, Z7, Z8); \
	do(R11, Z9, Z10, Z11); \
	do(R12, Z12, Z13, Z14); \
	do(R13, Z15, Z16, Z17); \
	do(R14, Z18, Z19, Z20); \
	do(R15, Z21, Z22, Z23)

// NEXT ends a step along k.
#define NEXT \
	ADDQ DX, AX; \
	ADDQ DI, SI; \
	DECQ CX

// func tileAVX512(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool)
TEXT ·tileAVX512(SB), NOSPLIT, $0-129
	// The last vector of a row misses −cols mod 8 columns.
	MOVQ cols+120(FP), CX
	NEGQ CX
	ANDQ $7, CX
	MOVL $0xff, DX
	SHRL CX, DX
	KMOVW DX, K1

	MOVQ rows+112(FP), BX
	MOVQ b_base+48(FP), SI
	MOVQ ldb+72(FP), DI
	SHLQ $3, DI
	MOVQ k+0(FP), CX
	MOVQ cols+120(FP), AX
	CMPQ AX, $8
	JLE  one
	CMPQ AX, $16
	JLE  two

	EACH_ROW(ZERO3)
	ROWS_OF_C
	EACH_ROW(FETCH3)
	CMPB add+128(FP), $0
	JEQ  sum3
	EACH_ROW(LOAD3)

sum3:
	ROWS_OF_A

loop3:
	LOAD3(SI, Z24, Z25, Z26)
	EACH_ROW(ADD3)
	NEXT
	JNZ loop3
	ROWS_OF_C
	EACH_ROW(STORE3)
	VZEROUPPER
	RET

two:
	EACH_ROW(ZERO2)
	CMPB add+128(FP), $0
	JEQ  sum2
	ROWS_OF_C
	EACH_ROW(LOAD2)

sum2:
	ROWS_OF_A

loop2:
	LOAD2(SI, Z24, Z25, Z26)
	EACH_ROW(ADD2)
	NEXT
	JNZ loop2
	ROWS_OF_C
	EACH_ROW(STORE2)
	VZEROUPPER
	RET

one:
	EACH_ROW(ZERO1)
	CMPB add+128(FP), $0
	JEQ  sum1
	ROWS_OF_C
	EACH_ROW(LOAD1)

sum1:
	ROWS_OF_A

loop1:
	LOAD1(SI, Z24, Z25, Z26)
	EACH_ROW(ADD1)
	NEXT
	JNZ loop1
	ROWS_OF_C
	EACH_ROW(STORE1)
	VZEROUPPER
	RET
