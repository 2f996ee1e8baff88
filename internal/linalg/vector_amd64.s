//go:build !purego

#include "textflag.h"

// Vectors need no more than AVX2: loads and stores bound them, and with one
// width the sums have the same order on every processor.
//
// Loops take four entries at a time, and what is left over through a mask or one by
// one.

// The numbers of the lanes, and how many there are.
DATA lane<>+0x00(SB)/8, $0
DATA lane<>+0x08(SB)/8, $1
DATA lane<>+0x10(SB)/8, $2
DATA lane<>+0x18(SB)/8, $3
GLOBL lane<>(SB), RODATA|NOPTR, $32
DATA four<>+0x00(SB)/8, $4
GLOBL four<>(SB), RODATA|NOPTR, $8

// MASK sets mask to the lanes below the number in CX.
#define MASK(mask) \
	VMOVQ CX, X15; \
	VPBROADCASTQ X15, Y15; \
	VPCMPGTQ lane<>(SB), Y15, mask

// func dotAVX2(x, y []float64) float64
//
// Entry i goes to sum i mod 16: four chains of multiply-adds, as many as one
// addition takes cycles, in Y0…Y3.
TEXT ·dotAVX2(SB), NOSPLIT, $0-56
	MOVQ   x_base+0(FP), SI
	MOVQ   x_len+8(FP), CX
	MOVQ   y_base+24(FP), DI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ   $16, CX
	JLT    rest

sixteen:
	VMOVUPD     (SI), Y4
	VMOVUPD     32(SI), Y5
	VMOVUPD     64(SI), Y6
	VMOVUPD     96(SI), Y7
	VFMADD231PD (DI), Y4, Y0
	VFMADD231PD 32(DI), Y5, Y1
	VFMADD231PD 64(DI), Y6, Y2
	VFMADD231PD 96(DI), Y7, Y3
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $16, CX
	JGE         sixteen

// REST adds the entries of one vector that exist, and takes 4 off their number in Y15.
#define REST(offset, sum) \
	VPCMPGTQ Y13, Y15, Y4; \
	VMASKMOVPD offset(SI), Y4, Y5; \
	VMASKMOVPD offset(DI), Y4, Y6; \
	VFMADD231PD Y5, Y6, sum; \
	VPSUBQ Y14, Y15, Y15

rest:
	ADDQ         $16, CX
	JEQ          sum
	VMOVQ        CX, X15
	VPBROADCASTQ X15, Y15
	VPBROADCASTQ four<>(SB), Y14
	VMOVDQU      lane<>(SB), Y13
	REST(0, Y0)
	REST(32, Y1)
	REST(64, Y2)
	REST(96, Y3)

sum:
	VADDPD       Y1, Y0, Y0
	VADDPD       Y3, Y2, Y2
	VADDPD       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+48(FP)
	VZEROUPPER
	RET

// func axpyAVX2(alpha float64, x, y []float64)
//
// What is left over goes one by one: the next call often reads what this one wrote,
// and has to wait for stores through a mask.
TEXT ·axpyAVX2(SB), NOSPLIT, $0-56
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ         x_base+8(FP), SI
	MOVQ         x_len+16(FP), CX
	MOVQ         y_base+32(FP), DI
	SUBQ         $16, CX
	JLT          few

sixteen:
	VMOVUPD     (DI), Y1
	VMOVUPD     32(DI), Y2
	VMOVUPD     64(DI), Y3
	VMOVUPD     96(DI), Y4
	VFMADD231PD (SI), Y0, Y1
	VFMADD231PD 32(SI), Y0, Y2
	VFMADD231PD 64(SI), Y0, Y3
	VFMADD231PD 96(SI), Y0, Y4
	VMOVUPD     Y1, (DI)
	VMOVUPD     Y2, 32(DI)
	VMOVUPD     Y3, 64(DI)
	VMOVUPD     Y4, 96(DI)
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $16, CX
	JGE         sixteen

few:
	ADDQ $12, CX
	JLT  rest

four:
	VMOVUPD     (DI), Y1
	VFMADD231PD (SI), Y0, Y1
	VMOVUPD     Y1, (DI)
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $4, CX
	JGE         four

rest:
	ADDQ $4, CX
	JEQ  done

one:
	VMOVSD      (DI), X1
	VFMADD231SD (SI), X0, X1
	VMOVSD      X1, (DI)
	ADDQ        $8, SI
	ADDQ        $8, DI
	SUBQ        $1, CX
	JNE         one

done:
	VZEROUPPER
	RET

// func axpy2AVX2(alpha float64, x []float64, beta float64, y, z []float64)
TEXT ·axpy2AVX2(SB), NOSPLIT, $0-88
	VBROADCASTSD alpha+0(FP), Y0
	MOVQ         x_base+8(FP), SI
	MOVQ         x_len+16(FP), CX
	VBROADCASTSD beta+32(FP), Y1
	MOVQ         y_base+40(FP), DX
	MOVQ         z_base+64(FP), DI
	XORQ         AX, AX
	SUBQ         $8, CX
	JLT          few

eight:
	VMOVUPD     (DI)(AX*8), Y2
	VMOVUPD     32(DI)(AX*8), Y3
	VFMADD231PD (SI)(AX*8), Y0, Y2
	VFMADD231PD 32(SI)(AX*8), Y0, Y3
	VFMADD231PD (DX)(AX*8), Y1, Y2
	VFMADD231PD 32(DX)(AX*8), Y1, Y3
	VMOVUPD     Y2, (DI)(AX*8)
	VMOVUPD     Y3, 32(DI)(AX*8)
	ADDQ        $8, AX
	SUBQ        $8, CX
	JGE         eight

few:
	ADDQ        $4, CX
	JLT         rest
	VMOVUPD     (DI)(AX*8), Y2
	VFMADD231PD (SI)(AX*8), Y0, Y2
	VFMADD231PD (DX)(AX*8), Y1, Y2
	VMOVUPD     Y2, (DI)(AX*8)
	ADDQ        $4, AX
	SUBQ        $4, CX

rest:
	ADDQ $4, CX
	JEQ  done

one:
	VMOVSD      (DI)(AX*8), X2
	VFMADD231SD (SI)(AX*8), X0, X2
	VFMADD231SD (DX)(AX*8), X1, X2
	VMOVSD      X2, (DI)(AX*8)
	INCQ        AX
	DECQ        CX
	JNE         one

done:
	VZEROUPPER
	RET

// The bits of a number without its sign.
DATA magnitude<>+0x00(SB)/8, $0x7fffffffffffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $8

// func replaceAVX2(dst, x, y, scale []float64) (moved float64)
//
// Four entries AX … R9−1 at a time, unless one of them moves more than those before: then, as
// at the end, one by one.
TEXT ·replaceAVX2(SB), NOSPLIT, $0-104
	MOVQ         dst_base+0(FP), DI
	MOVQ         dst_len+8(FP), R8
	MOVQ         x_base+24(FP), SI
	MOVQ         y_base+48(FP), DX
	MOVQ         scale_base+72(FP), BX
	VBROADCASTSD magnitude<>(SB), Y1
	VXORPD       Y0, Y0, Y0
	XORL         AX, AX
	JMP          next

four:
	VMOVUPD   (SI)(AX*8), Y2
	VSUBPD    (DX)(AX*8), Y2, Y2
	VMOVUPD   (DI)(AX*8), Y3
	VSUBPD    Y3, Y2, Y4
	VANDPD    Y1, Y4, Y4
	VMULPD    (BX)(AX*8), Y0, Y5
	VCMPPD    $0x1e, Y5, Y4, Y5    // greater
	VMOVMSKPD Y5, CX
	TESTL     CX, CX
	JNE       one
	VCMPPD    $0x00, Y3, Y2, Y4    // equal: zeros keep their signs
	VBLENDVPD Y4, Y3, Y2, Y2
	VMOVUPD   Y2, (DI)(AX*8)
	MOVQ      R9, AX

next:
	LEAQ 4(AX), R9
	CMPQ R9, R8
	JLE  four
	MOVQ R8, R9
	CMPQ AX, R8
	JGE  done

one:
	VMOVSD   (SI)(AX*8), X2
	VSUBSD   (DX)(AX*8), X2, X2
	VMOVSD   (DI)(AX*8), X3
	VUCOMISD X3, X2
	JNE      moves
	JPC      stays

moves:
	VMOVSD   X2, (DI)(AX*8)
	VSUBSD   X3, X2, X4
	VANDPD   X1, X4, X4
	VMULSD   (BX)(AX*8), X0, X5
	VUCOMISD X5, X4
	JLS      stays
	VDIVSD   (BX)(AX*8), X4, X0

stays:
	INCQ         AX
	CMPQ         AX, R9
	JLT          one
	VBROADCASTSD X0, Y0
	JMP          next

done:
	VMOVSD X0, moved+96(FP)
	VZEROUPPER
	RET

// TURN sets Y4 = cos·u − sin·v and Y5 = sin·u + cos·v for u in Y2, v in Y3.
#define TURN \
	VMULPD Y3, Y1, Y4; \
	VMULPD Y3, Y0, Y5; \
	VFMSUB231PD Y2, Y0, Y4; \
	VFMADD231PD Y2, Y1, Y5

// func rotateAVX2(x, y []float64, cos, sin float64)
TEXT ·rotateAVX2(SB), NOSPLIT, $0-64
	VBROADCASTSD cos+48(FP), Y0
	VBROADCASTSD sin+56(FP), Y1
	MOVQ         x_base+0(FP), SI
	MOVQ         x_len+8(FP), CX
	MOVQ         y_base+24(FP), DI
	SUBQ         $4, CX
	JLT          rest

step:
	VMOVUPD (SI), Y2
	VMOVUPD (DI), Y3
	TURN
	VMOVUPD Y4, (SI)
	VMOVUPD Y5, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     step

rest:
	ADDQ       $4, CX
	JEQ        done
	MASK(Y6)
	VMASKMOVPD (SI), Y6, Y2
	VMASKMOVPD (DI), Y6, Y3
	TURN
	VMASKMOVPD Y4, Y6, (SI)
	VMASKMOVPD Y5, Y6, (DI)

done:
	VZEROUPPER
	RET

// BOTH does one row of symvRows: dot += a·x, y += alpha·a, for a in Y10, x in
// Y8 and y in Y9.
#define BOTH(dot, alpha) \
	VFMADD231PD Y10, Y8, dot; \
	VFMADD231PD Y10, alpha, Y9

// HORIZONTAL adds the sum of the lanes of dot to a place in memory.
#define HORIZONTAL(dot, half, to) \
	VEXTRACTF128 $1, dot, X8; \
	VADDPD X8, half, X9; \
	VUNPCKHPD X9, X9, X8; \
	VADDSD X8, X9, X9; \
	VADDSD to, X9, X9; \
	VMOVSD X9, to

// func symvRowsAVX2(a []float64, lda int, x, y []float64, alpha, dot *[4]float64)
//
// Four rows R8…R11 of a, as long as x: what they add to their own entries, in
// Y0…Y3, and to the entries of y opposite, by the factors in Y4…Y7, in one pass.
TEXT ·symvRowsAVX2(SB), NOSPLIT, $0-96
	MOVQ         alpha+80(FP), AX
	VBROADCASTSD (AX), Y4
	VBROADCASTSD 8(AX), Y5
	VBROADCASTSD 16(AX), Y6
	VBROADCASTSD 24(AX), Y7
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y2, Y2, Y2
	VXORPD       Y3, Y3, Y3
	MOVQ         lda+24(FP), AX
	SHLQ         $3, AX
	MOVQ         a_base+0(FP), R8
	LEAQ         (R8)(AX*1), R9
	LEAQ         (R9)(AX*1), R10
	LEAQ         (R10)(AX*1), R11
	MOVQ         x_base+32(FP), SI
	MOVQ         x_len+40(FP), CX
	MOVQ         y_base+56(FP), DI
	XORL         DX, DX
	SUBQ         $4, CX
	JLT          rest

step:
	VMOVUPD (SI)(DX*8), Y8
	VMOVUPD (DI)(DX*8), Y9
	VMOVUPD (R8)(DX*8), Y10
	BOTH(Y0, Y4)
	VMOVUPD (R9)(DX*8), Y10
	BOTH(Y1, Y5)
	VMOVUPD (R10)(DX*8), Y10
	BOTH(Y2, Y6)
	VMOVUPD (R11)(DX*8), Y10
	BOTH(Y3, Y7)
	VMOVUPD Y9, (DI)(DX*8)
	ADDQ    $4, DX
	SUBQ    $4, CX
	JGE     step

rest:
	ADDQ       $4, CX
	JEQ        done
	MASK(Y14)
	VMASKMOVPD (SI)(DX*8), Y14, Y8
	VMASKMOVPD (DI)(DX*8), Y14, Y9
	VMASKMOVPD (R8)(DX*8), Y14, Y10
	BOTH(Y0, Y4)
	VMASKMOVPD (R9)(DX*8), Y14, Y10
	BOTH(Y1, Y5)
	VMASKMOVPD (R10)(DX*8), Y14, Y10
	BOTH(Y2, Y6)
	VMASKMOVPD (R11)(DX*8), Y14, Y10
	BOTH(Y3, Y7)
	VMASKMOVPD Y9, Y14, (DI)(DX*8)

done:
	MOVQ dot+88(FP), AX
	HORIZONTAL(Y0, X0, (AX))
	HORIZONTAL(Y1, X1, 8(AX))
	HORIZONTAL(Y2, X2, 16(AX))
	HORIZONTAL(Y3, X3, 24(AX))
	VZEROUPPER
	RET
