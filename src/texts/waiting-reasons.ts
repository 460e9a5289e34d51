import type { Job } from '../domain/job/job.ts'
import type { Check } from '../domain/request/check.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { checkText } from './check-text.ts'

/**
 * Why a job does not run yet, a sentence for each reason; none for one that has started. `position` is
 * its position in the queue, if it waits in one.
 */
export function waitingReasons(
  { state, checks }: Pick<Job, 'state' | 'checks'>,
  position?: number,
): string[] {
  const place = position === undefined ? '' : `, as number ${position} in the queue`
  const sentence = (check: Check) => reasonOf(check, place)
  if (state === 'queued') {
    return checks.length > 0 ? checks.map(sentence) : [`It waits for a free runner${place}.`]
  }
  if (state === 'received') return ['A runner has claimed it and is preparing the machine.']
  if (state !== 'created') return []
  if (checks.length === 0) return ['It has just been created and will be scheduled next.']
  const reasons = checks.filter(({ passed }) => !passed).map(sentence)
  return reasons.length > 0 ? reasons : ['It is next in line for a runner.']
}

function reasonOf(check: Check, place: string): string {
  const { running, limit, running_stage, running_stage_name, maximum_number_of_builds } =
    check.values
  const says = visible(String(check.values.says))
  if (check.rule === 'approval') {
    return 'It waits for a maintainer to review this commit, which comes from a fork.'
  }
  if (check.rule === 'stage' && typeof running_stage === 'number') {
    const name = typeof running_stage_name === 'string' ? ` (${visible(running_stage_name)})` : ''
    return `It waits for stage ${running_stage}${name} to end.`
  }
  if (check.rule === 'repository_limit') {
    return (
      `It waits for a job of this repository to end${place}: ` +
      `${counted(running, maximum_number_of_builds)} (setting maximum_number_of_builds).`
    )
  }
  if (check.rule === 'owner_limit') {
    return (
      `It waits for a job of this owner to end${place}: ` +
      `${counted(running, limit)} (setting OWNER_JOBS).`
    )
  }
  if (check.rule === 'isolation' || check.rule === 'queue') return `It waits, because ${says}.`
  if (check.rule === 'machine') return `It waits for a matching runner: ${says}.`
  if (check.rule === 'pause') {
    return `Its last run was lost (${says}); it is tried again after a pause.`
  }
  if (check.rule === 'codehost') {
    return `It waits for the code host and is retried later: ${says}.`
  }
  return `${checkText(check)}.`
}

function counted(running: unknown, limit: unknown): string {
  return typeof running === 'number' && typeof limit === 'number'
    ? `${running} of ${limit} allowed are queued or running`
    : 'the maximum number of jobs is queued or running'
}
