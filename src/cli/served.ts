import type { Service } from '../service/start.ts'
import { stopped } from './signals.ts'

/** Waits until the process has to stop. Throws when the service cannot continue. */
export async function served({ lost }: Pick<Service, 'lost'>, stop: AbortSignal): Promise<void> {
  const failure = await Promise.race([stopped(stop), lost])
  if (failure) throw failure
}
