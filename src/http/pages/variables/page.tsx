import type { EnvVar } from '../../../domain/env-var.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { Field, type FieldProblems, FieldSummary, NameField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { repositoryCrumbs } from '../parts/repository-crumbs.ts'
import { SameByApi } from '../parts/same-by-api.tsx'
import { SettingsFrame } from '../parts/settings-frame.tsx'
import { Time } from '../parts/time.tsx'
import { variablesPath } from '../paths.ts'

/** A variable as it is shown: a value that is not public is never read. */
export interface ShownVariable extends Pick<EnvVar, 'id' | 'name' | 'branch' | 'updated_at'> {
  value: string | null
}

/** The fields of the form that adds a variable. The value is not among them: it is never shown again. */
export interface VariableForm {
  name: string
  branch: string
  isPublic: boolean
}

interface VariablesPageProps {
  frame: Frame
  now: Date
  repository: Repository
  variables: readonly ShownVariable[]
  form: VariableForm
  problems: FieldProblems
  /** Why nothing was added. */
  problem?: string | undefined
}

/** The variables of a repository, and a form that adds one. */
export function VariablesPage(props: VariablesPageProps) {
  const { frame, now, repository, variables, form, problems, problem } = props
  const { prefix, viewer } = frame
  const slug = slugOf(repository)
  return (
    <SettingsFrame
      frame={frame}
      repository={repository}
      name="Variables"
      problems={problems}
      problem={problem}
    >
      <p>Jobs get them as environment variables. Values that are not public are masked in logs.</p>
      <FieldSummary problems={problems} />
      {variables.length === 0 ? (
        <p class="empty">There are no variables yet.</p>
      ) : (
        <table class="table jobs">
          <caption class="unseen">Variables</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Branch</th>
              <th scope="col">Changed</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {variables.map(({ id, name, value, branch, updated_at }) => (
              <tr>
                <th scope="row">
                  <code>{visible(name)}</code>
                </th>
                <td>
                  {value === null ? <span class="tag">secret</span> : <code>{visible(value)}</code>}
                </td>
                <td data-name="branch">
                  <bdi>{branch ?? 'all'}</bdi>
                </td>
                <td data-name="changed">
                  <Time at={updated_at} now={now} />
                </td>
                <td class="end">
                  <a href={variablesPath(prefix, repository, id)}>
                    Delete …<span class="unseen"> {visible(name)}</span>
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2 id="new">Add a variable</h2>
      <Form viewer={viewer} action={variablesPath(prefix, repository)} class="stacked">
        <Field name="name" label="Name" problems={problems}>
          {(attributes) => (
            <input
              {...attributes}
              value={form.name}
              required
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Field>
        <Field
          name="value"
          label="Value"
          hint="Bash evaluates it: put single quotes around a literal value that contains $, quotes or backslashes."
          problems={problems}
        >
          {(attributes) => (
            <textarea {...attributes} rows={2} autocomplete="off" spellcheck={false} />
          )}
        </Field>
        <NameField
          name="branch"
          label="Branch"
          hint="Only jobs of this branch get the variable. Leave empty for all branches."
          value={form.branch}
          problems={problems}
        />
        <label>
          <input type="checkbox" name="public" value="true" checked={form.isPublic} /> Public: its
          value is shown here and in logs
        </label>
        <button class="main">Add the variable</button>
      </Form>
      <SameByApi
        prefix={prefix}
        scope="settings"
        calls={[
          {
            method: 'POST',
            path: `/repo/${encodeURIComponent(slug)}/env_vars`,
            body: { env_var: { name: 'NAME', value: '…', public: false } },
            action: { resource: 'env_vars', name: 'create' },
            does: 'Add a variable',
          },
          {
            method: 'DELETE',
            path: `/repo/${encodeURIComponent(slug)}/env_var/{id}`,
            action: { resource: 'env_var', name: 'delete' },
            does: 'Delete a variable',
          },
        ]}
      />
    </SettingsFrame>
  )
}

interface DeletePageProps {
  frame: Frame
  repository: Repository
  variable: Pick<EnvVar, 'id' | 'name' | 'branch'>
}

/** Asks whether a variable is to be deleted: no one can read its value before. */
export function DeleteVariablePage({ frame, repository, variable }: DeletePageProps) {
  const { prefix, viewer } = frame
  const list = variablesPath(prefix, repository)
  return (
    <Layout
      {...frame}
      title={`Delete a variable of ${slugOf(repository)}`}
      crumbs={[
        ...repositoryCrumbs(prefix, repository),
        { text: 'Variables', href: list },
        { text: 'Delete' },
      ]}
    >
      <h1>
        Delete <code>{visible(variable.name)}</code>?
      </h1>
      <p>
        Jobs of {variable.branch === null ? 'all branches' : <bdi>{variable.branch}</bdi>} that
        begin from now on do not get it. Its value cannot be restored.
      </p>
      <Form viewer={viewer} action={variablesPath(prefix, repository, variable.id)} class="actions">
        <button class="danger">Delete {visible(variable.name)}</button>
        <a href={list}>Keep it</a>
      </Form>
    </Layout>
  )
}
