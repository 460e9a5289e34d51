import type { Finding } from '../../../lint/finding.ts'
import { settingsPath } from '../../../lint/project/settings.ts'
import { CodeField } from './code-field.tsx'
import { FindingList } from './finding-list.tsx'

const example = 'rules:\n  find_key: error'

/** The project's linter settings, as written in its own file. */
export function SettingsField({ settings }: { settings: string }) {
  return (
    <details open={settings !== ''}>
      <summary>Settings of the project</summary>
      <label for="settings">
        Its <code>{settingsPath}</code>
      </label>
      <CodeField id="settings" name="settings" rows={5} placeholder={example} text={settings} />
    </details>
  )
}

interface SettingsPartProps {
  prefix: string
  problems: readonly Finding[]
}

/** Problems in these settings. */
export function SettingsPart({ prefix, problems }: SettingsPartProps) {
  return (
    <div id="settings-problems">
      {problems.length > 0 && (
        <>
          <p>
            <code>{settingsPath}</code> is ignored until these errors are fixed:
          </p>
          <FindingList prefix={prefix} findings={problems} withLines />
        </>
      )}
    </div>
  )
}
