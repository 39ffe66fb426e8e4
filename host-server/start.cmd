@echo off
set again=0
:start
node --max-semi-space-size=8 "%~dp0start.mjs" %*
rem 70: a plugin kept the server busy or filled its memory, and is off from the next start on.
if not %errorlevel%==70 exit /b %errorlevel%
set /a again+=1
if %again% leq 5 goto start
exit /b 70
