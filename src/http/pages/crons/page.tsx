import { type CronInterval, cronIntervals } from '../../../domain/cron.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { CronOfBranch } from '../../../store/repositories/crons.ts'
import { Field, type FieldProblems, FieldSummary, NameField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { SameByApi } from '../parts/same-by-api.tsx'
import { SettingsFrame } from '../parts/settings-frame.tsx'
import { Time } from '../parts/time.tsx'
import { cronsPath } from '../paths.ts'

/** The fields of the form that sets a cron, as they were sent. */
export interface CronForm {
  branch: string
  interval: CronInterval
  start_at: string
  timezone: string
  dont_run_if_recent_build_exists: boolean
}

interface CronsPageProps {
  frame: Frame
  now: Date
  repository: Repository
  crons: readonly CronOfBranch[]
  form: CronForm
  problems: FieldProblems
  /** Why no cron was set. */
  problem?: string | undefined
}

/** The crons of a repository, and a form that sets the cron of a branch. */
export function CronsPage(props: CronsPageProps) {
  const { frame, repository, crons, form, problems, problem } = props
  const { prefix, viewer } = frame
  const slug = slugOf(repository)
  return (
    <SettingsFrame
      frame={frame}
      repository={repository}
      name="Crons"
      problems={problems}
      problem={problem}
    >
      <p>A cron builds a branch each day, week or month. A branch has one at most.</p>
      <FieldSummary problems={problems} />
      {crons.length === 0 ? <p class="empty">There are no crons yet.</p> : <Crons {...props} />}
      <h2 id="new">Set a cron</h2>
      <Form viewer={viewer} action={cronsPath(prefix, repository)} class="stacked">
        <NameField name="branch" label="Branch" value={form.branch} problems={problems} required />
        <Field name="interval" label="How often" problems={problems}>
          {(attributes) => (
            <select {...attributes}>
              {cronIntervals.map((each) => (
                <option value={each} selected={each === form.interval}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          name="start_at"
          label="Time of the day"
          hint="Such as 03:30. Empty for the time at which it is set."
          problems={problems}
        >
          {(attributes) => <input {...attributes} type="time" value={form.start_at} />}
        </Field>
        <NameField
          name="timezone"
          label="Timezone"
          hint="Such as Europe/Berlin. Empty for UTC."
          value={form.timezone}
          problems={problems}
        />
        <label>
          <input
            type="checkbox"
            name="dont_run_if_recent_build_exists"
            value="true"
            checked={form.dont_run_if_recent_build_exists}
          />{' '}
          Not after a build in the last 24 hours
        </label>
        <button class="main">Set the cron</button>
      </Form>
      <SameByApi
        prefix={prefix}
        scope="settings"
        calls={[
          {
            method: 'POST',
            path: `/repo/${encodeURIComponent(slug)}/branch/${encodeURIComponent(form.branch)}/cron`,
            body: { cron: { interval: form.interval, timezone: 'UTC' } },
            action: { resource: 'cron', name: 'create' },
            does: 'Set the cron of a branch',
          },
          {
            method: 'DELETE',
            path: '/cron/{id}',
            action: { resource: 'cron', name: 'delete' },
            does: 'Delete a cron',
          },
        ]}
      />
    </SettingsFrame>
  )
}

function Crons({ frame, now, repository, crons }: CronsPageProps) {
  const { prefix, viewer } = frame
  return (
    <table class="table jobs">
      <caption class="unseen">Crons</caption>
      <thead>
        <tr>
          <th scope="col">Branch</th>
          <th scope="col">How often</th>
          <th scope="col">Next run</th>
          <th scope="col">Last run</th>
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {crons.map((cron) => (
          <tr>
            <th scope="row">
              <bdi>{visible(cron.branch.name)}</bdi>
            </th>
            <td>
              {cron.interval}
              {cron.start_at !== null && ` at ${cron.start_at} ${visible(cron.timezone)}`}
            </td>
            <td data-name="next run">
              {cron.active ? (
                <Time at={cron.next_run} now={now} />
              ) : (
                <bdi>none: {visible(cron.inactive_reason ?? 'it is not active')}</bdi>
              )}
            </td>
            <td data-name="last run">
              {cron.last_run ? <Time at={cron.last_run} now={now} /> : 'none yet'}
            </td>
            <td class="end">
              <Form viewer={viewer} action={cronsPath(prefix, repository, cron)}>
                <button aria-label={`Delete the cron of ${visible(cron.branch.name)}`}>
                  Delete
                </button>
              </Form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
