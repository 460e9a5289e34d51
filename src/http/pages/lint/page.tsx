import { lintScript } from '../assets.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { codesPath, homePath, lintFormPath, scriptPath } from '../paths.ts'
import type { CheckResult } from './check.ts'
import { CodeField } from './code-field.tsx'
import { ExpansionPart } from './expansion-part.tsx'
import { FindingsPart, Summary } from './findings-part.tsx'
import { type LintForm, eventTypes } from './lint-form.ts'
import { SettingsField, SettingsPart } from './settings-part.tsx'

interface LintPageProps {
  frame: Frame
  form: LintForm
  /** Null before a file was checked. */
  checked: CheckResult | null
}

const example = 'language: node_js\nnode_js: [20, 24]\nscript: npm test'

/**
 * Checks a build file that is pasted into a form. A script only sends the form while the user types, and
 * replaces the changed parts (`client/lint.js`).
 */
export function LintPage({ frame, form, checked }: LintPageProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title="Check a build file"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'Check a build file' }]}
      script={scriptPath(prefix, lintScript)}
    >
      <h1>Check a build file</h1>
      <p>
        Paste a <code>.service.yml</code> to see what this service reports about it, what could be
        improved, and which jobs it creates. It is not stored.{' '}
        <a href={codesPath(prefix)}>What the linter finds</a>
      </p>
      <form class="lint" method="post" action={lintFormPath(prefix)}>
        <div class="given">
          <label for="file">Build file</label>
          <CodeField
            id="file"
            name="content"
            rows={18}
            placeholder={example}
            text={checked?.text ?? form.text}
          />
          <EventFields form={form} />
          <SettingsField settings={form.settings} />
          <button class="main">Check</button>
        </div>
        <section aria-labelledby="findings">
          <h2 id="findings">Findings</h2>
          <Summary checked={checked} />
          <SettingsPart prefix={prefix} problems={checked?.problems ?? []} />
          <FindingsPart prefix={prefix} checked={checked} />
        </section>
      </form>
      <ExpansionPart form={form} checked={checked} />
    </Layout>
  )
}

/** Fields for the event that conditions are evaluated for. */
function EventFields({ form: { event, branch, tag } }: { form: LintForm }) {
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
