import { type Repository, slugOf } from '../../../domain/repository.ts'
import { isNumberSetting, settingRanges, type Settings } from '../../../domain/settings.ts'
import { Field, type FieldProblems, FieldSummary } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { SameByApi } from '../parts/same-by-api.tsx'
import { SettingsFrame } from '../parts/settings-frame.tsx'
import { cronsPath, keysPath, settingsPath, variablesPath } from '../paths.ts'
import { namesIn, type SettingGroup, settingGroups } from './groups.ts'

interface SettingsPageProps {
  frame: Frame
  repository: Repository
  settings: Settings
  problems: FieldProblems
}

/** The settings of a repository: a form for each group. */
export function SettingsPage(props: SettingsPageProps) {
  const { frame, repository, problems } = props
  const { prefix } = frame
  const slug = slugOf(repository)
  return (
    <SettingsFrame frame={frame} repository={repository} name="Settings" problems={problems}>
      <p>
        <a href={variablesPath(prefix, repository)}>Variables</a>,{' '}
        <a href={keysPath(prefix, repository)}>keys</a> and{' '}
        <a href={cronsPath(prefix, repository)}>crons</a> have pages of their own.
      </p>
      <FieldSummary problems={problems} />
      {settingGroups.map((group) => (
        <Group {...props} group={group} />
      ))}
      <SameByApi
        prefix={prefix}
        scope="settings"
        calls={[
          {
            method: 'PATCH',
            path: `/repo/${encodeURIComponent(slug)}/setting/build_pushes`,
            body: { 'setting.value': true },
            action: { resource: 'setting', name: 'update' },
            does: 'Change a setting',
          },
        ]}
      />
    </SettingsFrame>
  )
}

function Group({ group, ...props }: SettingsPageProps & { group: SettingGroup }) {
  const { frame, repository } = props
  const heading = `group-${group.id}`
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{group.title}</h2>
      <Form viewer={frame.viewer} action={settingsPath(frame.prefix, repository)} class="stacked">
        <input type="hidden" name="group" value={group.id} />
        {namesIn(group).map((name) => (
          <Setting {...props} name={name} label={group.settings[name] ?? name} />
        ))}
        <button>
          Save<span class="unseen"> {group.title}</span>
        </button>
      </Form>
    </section>
  )
}

interface SettingProps extends SettingsPageProps {
  name: keyof Settings
  label: string
}

function Setting({ name, label, settings, problems }: SettingProps) {
  const value = settings[name]
  if (!isNumberSetting(name)) {
    return (
      <label>
        <input type="checkbox" name={name} value="true" checked={value === true} /> {label}
      </label>
    )
  }
  const { minimum, maximum } = settingRanges[name]
  return (
    <Field name={name} label={label} problems={problems}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          min={minimum}
          max={maximum}
          value={value === null ? '' : String(value)}
        />
      )}
    </Field>
  )
}
