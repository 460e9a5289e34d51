import { expect, test } from 'vitest'
import { formatCheckstyle } from '../../../src/lint/formats/checkstyle.ts'
import { reports } from './reports.ts'

test('files and findings are XML, with escaped values', () => {
  expect(formatCheckstyle(reports)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <checkstyle version="4.3">
      <file name=".service.yml">
        <error line="1" severity="info" message="&quot;os&quot; is not given, so &quot;linux&quot; is used: write it down if you rely on it" source="build-service.default"/>
        <error line="1" column="1" severity="warning" message="unknown key &quot;langauge&quot;, read as &quot;language&quot;: correct the spelling" source="build-service.find_key"/>
        <error line="2" column="1" severity="error" message="a text is expected here" source="build-service.invalid_type"/>
      </file>
      <file name="a,b:\\n\\x1b[31m&lt;&quot;&amp;.yml">
        <error line="1" column="2" severity="error" message="100% &lt;plain&gt; &quot;text&quot;\\n::error::\\x1b[2J" source="build-service.secure"/>
      </file>
    </checkstyle>
    "
  `)
})
