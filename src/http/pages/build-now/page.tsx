import { type Repository, slugOf } from '../../../domain/repository.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { Preview } from '../../../flow/build-file/preview-work.ts'
import { configSummary } from '../parts/config-list.tsx'
import { Field, type FieldProblems, FieldSummary, NameField } from '../parts/field.tsx'
import { Form, formKey } from '../parts/form.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { repositoryCrumbs } from '../parts/repository-crumbs.ts'
import { SameByApi } from '../parts/same-by-api.tsx'
import { buildNowPath } from '../paths.ts'
import type { BuildNowForm } from './form.ts'

interface BuildNowPageProps {
  frame: Frame
  repository: Repository
  form: BuildNowForm
  problems: FieldProblems
  /** The jobs that the build would have; null before they were requested. */
  preview: Preview | null
  /** Why nothing was requested or previewed. */
  problem?: string | undefined
}

/** The form that requests a build, with a preview of its jobs. */
export function BuildNowPage(props: BuildNowPageProps) {
  const { frame, repository, form, problems, preview, problem } = props
  const { prefix, viewer } = frame
  const slug = slugOf(repository)
  const hasProblem = problems.size > 0
  return (
    <Layout
      {...frame}
      title={`${hasProblem ? 'Error: ' : ''}Build ${slug} now`}
      problem={problem}
      crumbs={[...repositoryCrumbs(prefix, repository), { text: 'Build now' }]}
    >
      <h1>
        Build <bdi>{slug}</bdi> now
      </h1>
      <FieldSummary problems={problems} />
      <Form viewer={viewer} action={buildNowPath(prefix, repository)} class="stacked" keyed={false}>
        <fieldset class="choices">
          <legend>What to build</legend>
          {(['branch', 'tag'] as const).map((kind) => (
            <label>
              <input type="radio" name="kind" value={kind} checked={form.kind === kind} /> a {kind}
            </label>
          ))}
        </fieldset>
        <NameField name="ref" label="Name" value={form.ref} problems={problems} required />
        <NameField
          name="sha"
          label="Commit"
          hint="The full hash of a commit on this branch or tag. Leave empty for its newest commit."
          value={form.sha}
          problems={problems}
          size={44}
        />
        <Field
          name="message"
          label="Message"
          hint="Shown instead of the commit message. Leave empty to show the commit message."
          problems={problems}
        >
          {(attributes) => <input {...attributes} value={form.message} size={60} />}
        </Field>
        <Field
          name="variables"
          label="Variables"
          hint="NAME=value, one a line, for all jobs. Everyone who sees the build can read them."
          problems={problems}
        >
          {(attributes) => (
            <textarea {...attributes} rows={4} spellcheck={false}>
              {form.variables}
            </textarea>
          )}
        </Field>
        <div class="actions">
          <button class="main" {...formKey()}>
            Start
          </button>
          <button name="do" value="preview">
            Show the jobs
          </button>
        </div>
      </Form>
      {preview && <Previewed preview={preview} />}
      <SameByApi
        prefix={prefix}
        scope="builds"
        calls={[
          {
            method: 'POST',
            path: `/repo/${encodeURIComponent(slug)}/requests`,
            body: bodyOf(form),
            action: { resource: 'requests', name: 'create' },
            does: 'Request the build',
          },
          {
            method: 'POST',
            path: `/repo/${encodeURIComponent(slug)}/request/preview`,
            body: { request_preview: { ref: form.ref } },
            action: { resource: 'request_preview', name: 'create' },
            does: 'Show its jobs',
          },
        ]}
      />
    </Layout>
  )
}

/** The body of the call that does the same as the form, without empty members. */
function bodyOf({ kind, ref, sha, message }: BuildNowForm) {
  const members = { [kind === 'tag' ? 'tag_name' : 'branch']: ref, sha, message }
  return {
    request: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')),
  }
}

function Previewed({ preview: { jobs, messages, unreadable } }: { preview: Preview }) {
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">
        {jobs.length === 1 ? 'It would have 1 job' : `It would have ${jobs.length} jobs`}
      </h2>
      {unreadable && (
        <p class="wrong">
          <bdi>{visible(unreadable.text)}</bdi>
        </p>
      )}
      {jobs.length > 0 && (
        <ol class="items">
          {jobs.map((job) => (
            <li class="item plain">
              <ul class="config" aria-label="Runs with">
                {configSummary(job, false).map(({ name, value }) => (
                  <li>
                    <span class="faint">{name}</span> <code>{value}</code>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
      {messages.length > 0 && (
        <ul class="found">
          {messages.map(({ text, line }) => (
            <li>
              {line !== null && <span class="faint">line {line}: </span>}
              <bdi>{visible(text)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
