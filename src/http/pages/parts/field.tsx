import type { ComponentChildren } from 'preact'
import { visible } from '../../../domain/text/escape-control-characters.ts'

/** Errors in the values of a form, by the names of its fields. */
export type FieldProblems = ReadonlyMap<string, string>

interface FieldProps {
  name: string
  label: string
  hint?: string
  problems: FieldProblems
  /** The control, with the attributes that tie it to its hint and its problem. */
  children: (attributes: FieldAttributes) => ComponentChildren
}

interface FieldAttributes {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/** One field of a form: label, error, control, hint. */
export function Field({ name, label, hint, problems, children }: FieldProps) {
  const problem = problems.get(name)
  const described = [
    problem === undefined ? [] : `${name}-problem`,
    hint === undefined ? [] : `${name}-hint`,
  ].flat()
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {problem !== undefined && (
        <p class="wrong" id={`${name}-problem`}>
          {label}: {visible(problem)}
        </p>
      )}
      {children({
        id: name,
        name,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': problem === undefined ? undefined : 'true',
      })}
      {hint !== undefined && (
        <p class="faint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** The attributes of the only field of a refused form: it gets the focus, and `#problem` has the reason. */
export function refused(problem: string | undefined) {
  return problem === undefined
    ? {}
    : { 'aria-invalid': true, 'aria-describedby': 'problem', autofocus: true }
}

interface NameFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  required?: boolean
  size?: number
}

/** A field for a name that exists elsewhere, such as a branch: browsers do not correct it. */
export function NameField({ value, required, size, ...field }: NameFieldProps) {
  return (
    <Field {...field}>
      {(attributes) => (
        <input
          {...attributes}
          value={value}
          required={required}
          size={size}
          autocapitalize="off"
          spellcheck={false}
        />
      )}
    </Field>
  )
}

/** The number of fields that need attention, with a link to each. */
export function FieldSummary({ problems }: { problems: FieldProblems }) {
  if (problems.size === 0) return null
  return (
    <div class="notice said state-failed" role="alert">
      <strong>
        {problems.size === 1 ? 'One field needs' : `${problems.size} fields need`} your attention.
      </strong>
      <ul>
        {[...problems].map(([name, problem]) => (
          <li>
            <a href={`#${name}`}>{visible(problem)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
