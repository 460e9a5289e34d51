import { type TokenScope, tokenScopes } from '../../../access/scopes.ts'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { profilePath } from '../paths.ts'

const meanings: Readonly<Record<TokenScope, string>> = {
  read: 'read',
  builds: 'restart, cancel and request builds',
  settings: 'change settings, variables, keys and crons',
  admin: 'administer the installation, if you can',
}

const ends = [
  { days: 0, text: 'when it is not used for 90 days' },
  { days: 7, text: 'in a week' },
  { days: 30, text: 'in 30 days' },
  { days: 365, text: 'in a year' },
]

/** A form that creates a token, with its name, scopes and lifetime. */
export function NewTokenForm({ frame }: { frame: Frame }) {
  return (
    <Form viewer={frame.viewer} action={profilePath(frame.prefix, '/tokens')} class="given">
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength={100} autocomplete="off" />
      <fieldset class="choices">
        <legend>It can be used to</legend>
        {tokenScopes.map((scope) => (
          <label>
            <input type="checkbox" name="scopes[]" value={scope} checked={scope === 'read'} />{' '}
            {meanings[scope]}
          </label>
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend>It sees</legend>
        <label>
          <input type="checkbox" name="sees_private" value="true" checked /> private things as well
        </label>
      </fieldset>
      <label for="days">It ends</label>
      <select id="days" name="days">
        {ends.map(({ days, text }) => (
          <option value={days}>{text}</option>
        ))}
      </select>
      <button class="main">Make the token</button>
    </Form>
  )
}
