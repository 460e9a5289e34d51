import { secondsBetween } from '../../../domain/time/seconds-between.ts'

/** Seconds in words: `0.34 s`, `45 s`, `3 min 5 s`, `1 h 2 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`
  const whole = Math.floor(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return joined(minutes, 'min', whole % 60, 's')
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

interface Span {
  started_at: Date | null
  finished_at: Date | null
}

/** Elapsed seconds, up to now if still running; null if not started. */
export function secondsOf({ started_at, finished_at }: Span, now: Date): number | null {
  return started_at === null ? null : secondsBetween(started_at, finished_at ?? now)
}

/** A duration; a dash if there is none. */
export function Duration({ seconds }: { seconds: number | null }) {
  if (seconds === null) return <span>–</span>
  return (
    <time class="duration" datetime={`PT${Number(seconds.toFixed(3))}S`}>
      {durationText(seconds)}
    </time>
  )
}
