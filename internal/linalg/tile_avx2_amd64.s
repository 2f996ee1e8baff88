//go:build !purego

#include "textflag.h"

// The tile of AVX2: 6 rows by 2 vectors of 4 columns, laid out as that of
// AVX-512 is (tile_avx512_amd64.s has the reasons). One step along k is 12 fused
// multiply-adds, 6 cycles, beside 8 loads, 4 cycles.
//
//	Y0…Y11   sums, row by row: row i has Y(2i), Y(2i+1)
//	Y12, Y13 one row of b
//	Y14      one entry of a, four times
//	Y15      the columns that exist in the last vector of a row
//	R8…R13   the six rows of a in the loop, of c before and after it
//	AX       offset into the rows of a
//	DX       bytes from a[i,k] to a[i,k+1]
//	SI, DI   row of b, bytes to the next one
//	CX       steps to go

// Four columns that exist and four that do not: a mask of 4−s of them begins at entry s.
DATA columnMask<>+0x00(SB)/8, $-1
DATA columnMask<>+0x08(SB)/8, $-1
DATA columnMask<>+0x10(SB)/8, $-1
DATA columnMask<>+0x18(SB)/8, $-1
DATA columnMask<>+0x20(SB)/8, $0
DATA columnMask<>+0x28(SB)/8, $0
DATA columnMask<>+0x30(SB)/8, $0
DATA columnMask<>+0x38(SB)/8, $0
GLOBL columnMask<>(SB), RODATA|NOPTR, $64

// STEP sets q to the row after p, or to p if there are no more than i rows.
// BX has the number of rows, DX the bytes between two.
#define STEP(i, p, q) \
	XORL AX, AX; \
	CMPQ BX, $i; \
	CMOVQGT DX, AX; \
	LEAQ (p)(AX*1), q

// ROWS sets R8…R13 to the rows that begin at R8 and are DX elements apart.
#define ROWS \
	SHLQ $3, DX; \
	STEP(1, R8, R9); \
	STEP(2, R9, R10); \
	STEP(3, R10, R11); \
	STEP(4, R11, R12); \
	STEP(5, R12, R13)

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

// What a tile does to each of its rows, for 2 vectors and 1.
#define ZERO2(p, u, v) VXORPD u, u, u; VXORPD v, v, v
#define ZERO1(p, u, v) VXORPD u, u, u

#define LOAD2(p, u, v) VMOVUPD (p), u; VMASKMOVPD 32(p), Y15, v
#define LOAD1(p, u, v) VMASKMOVPD (p), Y15, u

#define STORE2(p, u, v) VMOVUPD u, (p); VMASKMOVPD v, Y15, 32(p)
#define STORE1(p, u, v) VMASKMOVPD u, Y15, (p)

#define ADD2(p, u, v) \
	VBROADCASTSD (p)(AX*1), Y14; \
	VFMADD231PD Y12, Y14, u; \
	VFMADD231PD Y13, Y14, v

#define ADD1(p, u, v) \
	VBROADCASTSD (p)(AX*1), Y14; \
	VFMADD231PD Y12, Y14, u

// FETCH2 brings the same row of the tile below into the cache while this tile is
// at work. AX has the bytes between three rows of c.
#define FETCH2(p, u, v) \
	PREFETCHT0 (p)(AX*2); \
	PREFETCHT0 56(p)(AX*2)

#define EACH_ROW(do) \
	do(R8, Y0, Y1); \
	do(R9, Y2, Y3); \
	do(R10, Y4, Y5); \
	do(R11, Y6, Y7); \
	do(R12, Y8, Y9); \
	do(R13, Y10, Y11)

// NEXT ends a step along k.
#define NEXT \
	ADDQ DX, AX; \
	ADDQ DI, SI; \
	DECQ CX

// func tileAVX2(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool)
TEXT ·tileAVX2(SB), NOSPLIT, $0-129
	// The last vector of a row misses −cols mod 4 columns.
	MOVQ    cols+120(FP), CX
	NEGQ    CX
	ANDQ    $3, CX
	LEAQ    columnMask<>(SB), DX
	VMOVDQU (DX)(CX*8), Y15

	MOVQ rows+112(FP), BX
	MOVQ b_base+48(FP), SI
	MOVQ ldb+72(FP), DI
	SHLQ $3, DI
	MOVQ k+0(FP), CX
	CMPQ cols+120(FP), $4
	JLE  one

	EACH_ROW(ZERO2)
	ROWS_OF_C
	LEAQ (DX)(DX*2), AX
	EACH_ROW(FETCH2)
	CMPB add+128(FP), $0
	JEQ  sum2
	EACH_ROW(LOAD2)

sum2:
	ROWS_OF_A

	// With all columns there, b needs no mask, which some processors take long over.
	CMPQ cols+120(FP), $8
	JLT  masked

loop2:
	VMOVUPD (SI), Y12
	VMOVUPD 32(SI), Y13
	EACH_ROW(ADD2)
	NEXT
	JNZ loop2
	ROWS_OF_C
	EACH_ROW(STORE2)
	VZEROUPPER
	RET

masked:
	LOAD2(SI, Y12, Y13)
	EACH_ROW(ADD2)
	NEXT
	JNZ masked
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
	LOAD1(SI, Y12, Y13)
	EACH_ROW(ADD1)
	NEXT
	JNZ loop1
	ROWS_OF_C
	EACH_ROW(STORE1)
	VZEROUPPER
	RET
