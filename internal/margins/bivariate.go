package margins

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

// normal returns the distribution function of the standard normal distribution, by Hart's
// rational approximations ([west2005]), which round alike on all processors.
func normal(x float64) float64 {
	a := math.Abs(x)
	tail := 0.0
	switch e := portable.Exp(-float64(a*a) / 2); {
	case a > 37:
	case a < 7.07106781186547:
		tail = e * horner(a, 3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
			221.213596169931, 220.206867912376) /
			horner(a, 8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
				793.826512519948, 440.413735824752)
	default:
		b := a + 0.65
		for k := 4; k > 0; k-- {
			b = a + float64(k)/b
		}
		tail = e / b / 2.506628274631
	}
	if x > 0 {
		return 1 - tail
	}
	return tail
}

// density returns that of the standard normal distribution.
func density(x float64) float64 {
	return portable.Exp(-float64(x*x)/2) / math.Sqrt(2*math.Pi)
}

// horner returns the polynomial with these coefficients, the highest first.
func horner(x float64, coefficients ...float64) (sum float64) {
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}

// The points and weights of Gauss and Legendre on [−1, 1], of the first half: the others are
// opposite.
var (
	gaussPoints = [10]float64{
		-0.9931285991850949, -0.9639719272779138, -0.9122344282513259, -0.8391169718222188, -0.7463319064601508,
		-0.6360536807265150, -0.5108670019508271, -0.3737060887154196, -0.2277858511416451, -0.07652652113349733,
	}
	gaussWeights = [10]float64{
		0.01761400713915212, 0.04060142980038694, 0.06267204833410906, 0.08327674157670475, 0.1019301198172404,
		0.1181945319615184, 0.1316886384491766, 0.1420961093183821, 0.1491729864726037, 0.1527533871307259,
	}
)

// mostDirect is the correlation up to which the integral over correlations is smooth enough.
const mostDirect = 0.925

// bivariate returns the probability that two standard normal variables of correlation r are at
// most h and k: Φ(h)Φ(k) plus the integral of their density over correlations from 0 to r, as
// Drezner and Wesolowsky have it, or for strong correlations that from r to ±1, with what Genz
// takes out of it ([genz2004]).
func bivariate(h, k, r float64) float64 {
	switch {
	case math.IsInf(h, -1) || math.IsInf(k, -1):
		return 0
	case math.IsInf(h, 1):
		return normal(k)
	case math.IsInf(k, 1):
		return normal(h)
	case math.Abs(r) <= mostDirect:
		return direct(h, k, r)
	case r < 0: // P(X ≤ h) − P(X ≤ h, −Y < −k)
		return max(normal(h)-nearOne(h, -k, -r), 0)
	}
	return nearOne(h, k, r)
}

func direct(h, k, r float64) float64 {
	squares, product, angle, sum := (float64(h*h)+float64(k*k))/2, h*k, math.Asin(r), 0.0
	for i, x := range gaussPoints {
		for _, at := range [2]float64{1 - x, 1 + x} {
			s := math.Sin(angle * at / 2)
			sum += float64(gaussWeights[i] * portable.Exp((float64(s*product)-squares)/(1-float64(s*s))))
		}
	}
	return float64(sum*angle)/(4*math.Pi) + float64(normal(h)*normal(k))
}

// nearOne is for correlations near 1: the probability for correlation 1 is that of the smaller
// bound, and what is missing is an integral over √(1 − ρ²).
func nearOne(h, k, r float64) float64 {
	least := normal(min(h, k))
	if r >= 1 {
		return least
	}
	apart, product := float64((h-k)*(h-k)), h*k
	c, d := (4-product)/8, (12-product)/16
	square := (1 - r) * (1 + r)
	a, sum := math.Sqrt(square), 0.0
	if e := -(apart/square + product) / 2; e > -100 {
		sum = a * portable.Exp(e) * (1 - float64(c*(apart-square)*(1-float64(d*apart)/5)/3) + float64(c*d*square*square)/5)
	}
	if product > -100 {
		b := math.Sqrt(apart)
		sum -= portable.Exp(-product/2) * math.Sqrt(2*math.Pi) * normal(-b/a) * b * (1 - float64(c*apart*(1-float64(d*apart)/5))/3)
	}
	for i, x := range gaussPoints {
		for _, at := range [2]float64{1 - x, 1 + x} {
			s := float64(a*at/2) * float64(a*at/2)
			root := math.Sqrt(1 - s)
			if e := -(apart/s + product) / 2; e > -100 {
				sum += a / 2 * gaussWeights[i] * portable.Exp(e) *
					(portable.Exp(-product*(1-root)/(2*(1+root)))*(1/root) - (1 + float64(c*s*(1+float64(d*s)))))
			}
		}
	}
	return max(least-sum/(2*math.Pi), 0)
}
