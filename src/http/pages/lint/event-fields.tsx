import { type Asked, eventTypes } from './lint-form.ts'

/** What conditions are held against. */
export function EventFields({ asked: { event, branch, tag } }: { asked: Asked }) {
  return (
    <fieldset>
      <legend>Conditions are held against</legend>
      <label>
        Event
        <select name="event">
          <option value="">nothing: all hold</option>
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
