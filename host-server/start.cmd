@node --max-semi-space-size=8 "%~dp0start.mjs" %*
