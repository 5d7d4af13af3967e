package sources
import ("testing";"fmt";"time";"math/rand/v2";"kardia/sources/recording";"kardia/model/timeline";"runtime";"os")
func TestZZ(t *testing.T){
 path := os.Getenv("ZZ"); if path=="" {path="/tmp/seek/d2/day.mcap"}
 f,err:=recording.Open(path); if err!=nil{t.Fatal(err)}
	r := rand.New(rand.NewPCG(7, 7))
	v := f.Coverage()
	c := timeline.NewCursor(f)
	var ms0, ms1 runtime.MemStats
	for i := range 200 {
			at := v.Earliest.Add(time.Duration(r.Int64N(int64(v.Width()))))
			now := cpuTime()
			runtime.ReadMemStats(&ms0)
			if err:=c.Seek(at); err!=nil {t.Fatal(err)}
			d1 := cpuTime()-now
			rows,pods:=0,0
	for row := range c.State().Nodes {
		_ = row.Ages(at)
		if rows++; rows <= 50 {
			pods += len(row.Pods())
		}
	}
	c.State().Zones(at)
			d := cpuTime()-now
			runtime.ReadMemStats(&ms1)
			k,_ := f.KeyframeBefore(c.Position())
			fmt.Printf("%3d %8s seek %8s all %8s pos %d kf -%d alloc %d MB gc %d\n", i, at.Sub(v.Earliest).Round(time.Second), d1.Round(100*time.Microsecond), d.Round(100*time.Microsecond), c.Position(), c.Position()-k, (ms1.TotalAlloc-ms0.TotalAlloc)>>20, ms1.NumGC-ms0.NumGC)
	}
}
