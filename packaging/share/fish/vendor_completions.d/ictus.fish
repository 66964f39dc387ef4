# Completion of ictus for fish: it asks ictus itself.
function __ictus_complete
    env _ICTUS_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] \
        _TYPER_COMPLETE_ARGS=(commandline -cp) ictus 2>/dev/null
end
complete --command ictus --no-files --arguments "(__ictus_complete get-args)" --condition "__ictus_complete is-args"
