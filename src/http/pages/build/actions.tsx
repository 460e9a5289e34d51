import { type Build, isRestartable } from '../../../domain/build.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import type { Repository } from '../../../domain/repository.ts'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { type ApiCall, SameByApi } from '../parts/same-by-api.tsx'
import { type BuildForm, buildFormPath } from '../paths.ts'

/** The viewer's permissions on a build. */
export interface BuildCan {
  restart: boolean
  cancel: boolean
}

interface ActionsProps {
  frame: Frame
  repository: Repository
  build: Build
  jobs: readonly Job[]
  can: BuildCan
}

/** The buttons that restart or cancel a build; empty for viewers who can do neither. */
export function Actions({ frame, repository, build, jobs, can }: ActionsProps) {
  const actionOf = (form: BuildForm) => buildFormPath(frame.prefix, repository, build, form)
  const failed = jobs.filter((job) => isFinished(job) && job.state !== 'passed').length
  const restarts = can.restart && isRestartable(build)
  const cancels = can.cancel && jobs.some((job) => !isFinished(job))
  if (!restarts && !cancels) return null
  return (
    <div class="actions">
      {restarts && failed > 0 && (
        <Form viewer={frame.viewer} action={actionOf('restart_failed')}>
          <button class="main">Restart what did not pass ({failed})</button>
        </Form>
      )}
      {restarts && (
        <Form viewer={frame.viewer} action={actionOf('restart')}>
          <button class={failed > 0 ? undefined : 'main'}>Restart all</button>
        </Form>
      )}
      {cancels && (
        <a class="button plain" href={actionOf('cancel')}>
          Cancel …
        </a>
      )}
    </div>
  )
}

/** The calls that do the same as the buttons, and who can use them. */
export function BuildCalls({ prefix, build }: { prefix: string; build: Build }) {
  const call = (name: string, does: string): ApiCall => ({
    method: 'POST',
    path: `/build/${build.id}/${name}`,
    action: { resource: 'build', name },
    does,
  })
  return (
    <SameByApi
      prefix={prefix}
      scope="builds"
      calls={[
        call('restart', 'Restart all jobs'),
        call('restart_failed', 'Restart what did not pass'),
        call('cancel', 'Cancel what has not ended'),
      ]}
    >
      <p>Users with push access to the repository can restart and cancel its builds.</p>
    </SameByApi>
  )
}
