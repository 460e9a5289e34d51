import { type LintForm, eventTypes } from './lint-form.ts'

/** What conditions are evaluated against. */
export function EventFields({ form: { event, branch, tag } }: { form: LintForm }) {
  return (
    <fieldset>
      <legend>Evaluate conditions for</legend>
      <label>
        Event
        <select name="event">
          <option value="">none: all are true</option>
          {eventTypes.map((type) => (
            <option value={type} selected={type === event}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label>
        Branch
        <input name="branch" value={branch} autocapitalize="off" spellcheck={false} />
      </label>
      <label>
        Tag
        <input name="tag" value={tag} autocapitalize="off" spellcheck={false} />
      </label>
    </fieldset>
  )
}
