import type { Context, FlowConfig } from '../context.ts'

/** What it takes to find what did not get here. */
export interface CatchUpContext extends Pick<
  Context,
  'db' | 'codehosts' | 'sealer' | 'now' | 'log' | 'enqueue'
> {
  config: Pick<FlowConfig, 'catchUpTags'>
}
