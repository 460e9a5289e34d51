import type { Context, FlowConfig } from '../context.ts'

/** The parts of the context that catching up needs. */
export interface CatchUpContext extends Pick<
  Context,
  'db' | 'codehosts' | 'sealer' | 'now' | 'log' | 'enqueue' | 'enqueueAll'
> {
  config: Pick<FlowConfig, 'catchUpTags' | 'statusContext' | 'buildCheck'>
}
