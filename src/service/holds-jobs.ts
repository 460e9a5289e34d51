import type { Config } from '../config/config.ts'
import type { Probe } from '../runner/executor.ts'

/** Whether jobs from a remote code host wait here, because this machine cannot isolate them. */
export function holdsJobs(
  { appId, jobsWithoutIsolation }: Pick<Config, 'appId' | 'jobsWithoutIsolation'>,
  { isolation }: Pick<Probe, 'isolation'>,
): boolean {
  return appId !== undefined && isolation === 'none' && !jobsWithoutIsolation
}

/** Why FORK_APPROVAL is not safe here; undefined if it is. */
export function unsafeForks(
  { forkApproval, executor }: Pick<Config, 'forkApproval' | 'executor'>,
  { confines_root = false }: Pick<Probe, 'confines_root'>,
): string | undefined {
  if (forkApproval === 'always' || confines_root) return undefined
  const why =
    executor === 'docker'
      ? 'the root of its containers is root of this machine for its kernel: set "userns-remap" of the engine, run it rootless, or give it a runtime with a kernel of its own'
      : 'jobs run without containers: set EXECUTOR=docker on an engine with "userns-remap"'
  return `FORK_APPROVAL=${forkApproval} would run code of strangers that no one has seen, and ${why}; or remove FORK_APPROVAL, so that a maintainer approves each commit`
}
