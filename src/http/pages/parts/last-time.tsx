import type { Build } from '../../../domain/build.ts'
import { Time } from './time.tsx'

/** When the build's state changed last. */
export function LastTime({ build, now }: { build: Build; now: Date }) {
  const { finished_at, started_at, created_at } = build
  return <Time at={finished_at ?? started_at ?? created_at} now={now} />
}
