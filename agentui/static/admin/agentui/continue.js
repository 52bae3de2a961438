// A long list of decisions is made in steps; this takes the next one without a click.
document.getElementById("agentui-continue").submit();
